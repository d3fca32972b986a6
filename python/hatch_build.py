"""Puts the command into the wheel. build.sh builds the command and says what it is for."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommandHook(BuildHookInterface):
    """Adds the binary LSHCLUST_WHEEL_BINARY, and tags the wheel with the platform LSHCLUST_WHEEL_PLATFORM."""

    def initialize(self, version, build_data):
        binary, platform = os.environ["LSHCLUST_WHEEL_BINARY"], os.environ["LSHCLUST_WHEEL_PLATFORM"]
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["shared_scripts"][binary] = os.path.basename(binary)
