"""A standalone cluster of Spark on this machine: a master and workers as processes, which the tests and spark-bench.sh
use."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
HOST = "127.0.0.1"

#: What makes a JVM that lives for a minute cheaper.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Processes:
    """Processes with their logs in a folder."""

    def __init__(self, folder):
        self.folder, self.started = folder, []

    def start(self, name, arguments, wanted, **environment):
        """Start a process, and return the match of a pattern when its log has one."""
        log = self.folder / f"{name}.log"
        with log.open("wb") as out:
            child = subprocess.Popen(
                arguments, stdout=out, stderr=subprocess.STDOUT, env=os.environ | environment, start_new_session=True
            )
        self.started.append(child)
        for _ in range(1200):
            if found := re.search(wanted, log.read_text(errors="replace")):
                return found
            assert child.poll() is None, log.read_text(errors="replace")
            time.sleep(0.1)
        raise TimeoutError(log.read_text(errors="replace"))

    def kill(self):
        """Kill all processes."""
        for child in reversed(self.started):
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def standalone(self, workers=2):
        """Start a master and workers with one core and 1 GiB each, and return the URL of the master."""
        spark_class = str(HOME / "bin/spark-class")
        environment = {"SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
        environment["SPARK_DAEMON_JAVA_OPTS"] = JAVA
        options = ["--host", HOST, "--port", "0", "--webui-port", "0"]
        url = self.start(
            "master",
            [spark_class, "org.apache.spark.deploy.master.Master", *options],
            r"Starting Spark master at (\S+)",
            **environment,
        )[1]
        for n in range(1, workers + 1):
            room = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"worker-{n}")]
            self.start(
                f"worker-{n}",
                [spark_class, "org.apache.spark.deploy.worker.Worker", *options, *room, url],
                "Successfully registered with master",
                **environment,
            )
        return url


def session(master, folder, **more):
    """Return a session with executors of a core and 512 MiB each, classic or Connect."""
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    options = {
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
        "spark.local.dir": str(folder / "local"),
        **more,
    }
    builder = SparkSession.builder.master(master).appName("lshclust")
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
