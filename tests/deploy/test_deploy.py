import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.server import ROOT
from regard.app.models.translator_process import SETTING
from regard.app.security import HOSTS_SETTING, known_hosts
from regard.app.server import replicas

DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
KUBERNETES = {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8"))}
POD = KUBERNETES["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)", DOCKERFILE.replace("\\\n", " "), re.MULTILINE)


def test_haproxy_has_the_same_configuration_in_containers_as_under_the_command() -> None:
    assert (DEPLOY / "haproxy.cfg").read_text("utf-8") == replicas.configuration(*replicas.COMPOSE)
    (template,) = replicas.COMPOSE[1]
    assert "app:8501" in template
    assert "app" in COMPOSE["services"]


def test_nothing_is_left_to_fill_in_and_haproxy_takes_the_configuration(tmp_path: Path) -> None:
    written = tmp_path / "haproxy.cfg"
    written.write_text(replicas.configuration("127.0.0.1:8501", ["server replica1 127.0.0.1:8502"]), "utf-8")
    if shutil.which(replicas.PROXY):  # a machine without it has no `regard serve` either, and is told so
        for file in (written, DEPLOY / "haproxy.cfg"):
            subprocess.run([replicas.PROXY, "-c", "-f", file], check=True)
    assert not re.findall(r"\$\w", written.read_text("utf-8").partition("global")[2])


def test_the_image_copies_what_is_there_and_is_given_nothing_else() -> None:
    copied = [name for line in instructions("COPY") if "--from" not in line for name in line.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    allowed = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split("\n")
    assert set(copied) == {line.removeprefix("!") for line in allowed if line.startswith("!")}


def test_every_part_runs_the_app_without_rights_on_the_port_that_it_serves() -> None:
    *_, command = instructions("CMD")
    assert json.loads(command) == ["regard", "--address", "0.0.0.0", "--port", "8501"]
    assert instructions("USER") == ["1000"]
    assert instructions("EXPOSE") == ["8501"]
    assert CONTAINER["ports"][0]["containerPort"] == 8501
    assert POD["spec"]["securityContext"]["runAsUser"] == 1000
    assert COMPOSE["services"]["app"]["read_only"]
    assert CONTAINER["securityContext"]["readOnlyRootFilesystem"]
    assert CONTAINER["volumeMounts"][0]["mountPath"] == "/tmp" == COMPOSE["services"]["app"]["tmpfs"][0].split(":")[0]


@pytest.mark.parametrize(
    "environment", [COMPOSE["services"]["app"]["environment"], {one["name"]: one["value"] for one in CONTAINER["env"]}]
)
def test_settings_are_those_that_the_app_and_its_server_read(environment: dict[str, Any]) -> None:
    assert environment.keys() == {HOSTS_SETTING, SETTING, "FORWARDED_ALLOW_IPS"}  # the last is uvicorn's
    assert known_hosts(environment[HOSTS_SETTING])
