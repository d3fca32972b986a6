"""A real cluster of Spark: a master and two workers as processes, or executors as processes of local-cluster.

LSHCLUST_SPARK names the kind: standalone or local-cluster[2,1,1024]. With LSHCLUST_SPARK_API=connect, the session is
one of Spark Connect.
"""

import functools
import os

import pytest
from clusters import HOST, Processes, free_port, session

import lshclust

#: What pyarrow.fs has to know about the server of S3, on the driver and the workers.
S3 = {
    "AWS_ACCESS_KEY_ID": "tester",
    "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_ENDPOINT_URL": f"http://{HOST}:{free_port()}",
    "AWS_REGION": "us-east-1",
}


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
def s3(processes, folder):
    """The folder that a server of S3 on loopback shows as a bucket named crawl."""
    (folder / "s3/crawl").mkdir(parents=True)
    address = S3["AWS_ENDPOINT_URL"].removeprefix("http://")
    processes.start(
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
    os.environ |= S3
    credentials = {f"spark.executorEnv.{name}": value for name, value in S3.items()}
    failures = {"spark.task.maxFailures": "12", "spark.deploy.maxExecutorRetries": "-1"}
    if os.environ.get("LSHCLUST_SPARK_API") == "connect":
        spark = session(master, folder, **failures, **credentials, **{"spark.api.mode": "connect"})
    else:
        spark = session(master, folder, **failures, **credentials)
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
