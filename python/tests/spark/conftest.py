"""A real cluster of Spark: a master and two workers as processes, or executors as processes of local-cluster.

LSHCLUST_SPARK names the kind: standalone or local-cluster[2,1,1024]. With LSHCLUST_SPARK_API=connect, the session is
one of Spark Connect.
"""

import functools
import os

import pytest
from clusters import Processes, session

import lshclust

@pytest.fixture(scope="session")
def processes(folder):
    """Start processes that are killed in the end."""
    started = Processes(folder)
    yield started
    started.kill()


@pytest.fixture(scope="session")
def master(processes):
    """The URL of the master of a cluster of two executors with a core and 512 MB each."""
    wanted = os.environ.get("LSHCLUST_SPARK", "standalone")
    return processes.standalone() if wanted == "standalone" else wanted


@pytest.fixture(scope="session")
def spark(master, folder):
    """A session on the cluster. A task may fail often, since tests kill everything."""
    failures = {"spark.task.maxFailures": "12", "spark.deploy.maxExecutorRetries": "-1"}
    if os.environ.get("LSHCLUST_SPARK_API") == "connect":
        spark = session(master, folder, **failures, **{"spark.api.mode": "connect"})
    else:
        spark = session(master, folder, **failures)
        spark.sparkContext.setLogLevel("ERROR")
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def local(folder):
    """Return the run that one machine makes of inputs."""

    @functools.cache
    def built(name, *inputs, **settings):
        return lshclust.cluster(inputs, folder / f"local-{name}", progress=False, **settings)

    return built
