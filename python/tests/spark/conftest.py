"""A real cluster of Spark: a master and two workers as processes, or executors as processes of local-cluster.

LSHCLUST_SPARK names the kind: standalone or local-cluster[2,1,1024].
"""

import functools
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession

import lshclust

HOME = Path(pyspark.__file__).parent
HOST = "127.0.0.1"

#: What makes a JVM that lives for a minute cheaper.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def free_port():
    """Return the number of a port that nobody uses now."""
    with socket.create_server((HOST, 0)) as s:
        return s.getsockname()[1]


#: What pyarrow.fs has to know about the server of S3, on the driver and the workers.
S3 = {
    "AWS_ACCESS_KEY_ID": "tester",
    "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_ENDPOINT_URL": f"http://{HOST}:{free_port()}",
    "AWS_REGION": "us-east-1",
}


@pytest.fixture(scope="session")
def processes(folder):
    """Start processes that are killed in the end, and wait for something that they print."""
    started = []

    def start(name, arguments, wanted, **environment):
        log = folder / f"{name}.log"
        with log.open("wb") as out:
            child = subprocess.Popen(
                arguments, stdout=out, stderr=subprocess.STDOUT, env=os.environ | environment, start_new_session=True
            )
        started.append(child)
        for _ in range(1200):
            if found := re.search(wanted, log.read_text(errors="replace")):
                return found
            assert child.poll() is None, log.read_text(errors="replace")
            time.sleep(0.1)
        raise TimeoutError(log.read_text(errors="replace"))

    yield start
    for child in reversed(started):
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


@pytest.fixture(scope="session")
def master(processes, folder):
    """The URL of the master of a cluster of two executors with a core and 512 MB each."""
    wanted = os.environ.get("LSHCLUST_SPARK", "standalone")
    if wanted != "standalone":
        return wanted
    spark_class = str(HOME / "bin/spark-class")
    environment = {"SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_DAEMON_JAVA_OPTS"] = JAVA
    options = ["--host", HOST, "--port", "0", "--webui-port", "0"]
    started = functools.partial(processes, **environment)
    url = started(
        "master", [spark_class, "org.apache.spark.deploy.master.Master", *options], r"Starting Spark master at (\S+)"
    )[1]
    for n in (1, 2):
        room = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"worker-{n}")]
        started(
            f"worker-{n}",
            [spark_class, "org.apache.spark.deploy.worker.Worker", *options, *room, url],
            "Successfully registered with master",
        )
    return url


@pytest.fixture(scope="session")
def s3(processes, folder):
    """The folder that a server of S3 on loopback shows as a bucket named crawl."""
    (folder / "s3/crawl").mkdir(parents=True)
    address = S3["AWS_ENDPOINT_URL"].removeprefix("http://")
    processes(
        "s3",
        [os.environ["LSHCLUST_S3_SERVER"], "--port", address, "posix", str(folder / "s3")],
        "(?i)listening|http://127",
        ROOT_ACCESS_KEY=S3["AWS_ACCESS_KEY_ID"],
        ROOT_SECRET_KEY=S3["AWS_SECRET_ACCESS_KEY"],
    )
    return folder / "s3/crawl"


@pytest.fixture(scope="session")
def spark(master, folder):
    """A session on the cluster. A task may fail often, since tests kill everything."""
    os.environ |= {"SPARK_LOCAL_IP": HOST, "PYSPARK_PYTHON": sys.executable} | S3
    options = {
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.task.maxFailures": "12",
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.driver.host": HOST,
        "spark.driver.bindAddress": HOST,
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
        "spark.local.dir": str(folder / "local"),
        **{f"spark.executorEnv.{name}": value for name, value in S3.items()},
    }
    builder = SparkSession.builder.master(master).appName("lshclust")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def local(folder):
    """Return the run that one machine makes of inputs."""

    @functools.cache
    def built(name, *inputs, **settings):
        return lshclust.cluster(inputs, folder / f"local-{name}", progress=False, **settings)

    return built
