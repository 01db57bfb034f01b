"""OpenStack Swift with its s3api, as Debian packages it, whole in one process.

swift-server.py FOLDER KEY SECRET PORT PORT PORT PORT: the first port speaks S3, the others are for its own parts.
"""

import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

folder, key, secret, *ports = sys.argv[1:]
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b"hubbub"


class Silent:
    def write(self, text):
        pass


def configure(name, sections):
    path = os.path.join(folder, f"{name}.conf")
    with open(path, "w") as file:
        file.write(f"[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}/node\nmount_check = false\nworkers = 0\n{sections}")
    return path


def begin(name, sections, port):
    app = loadapp(configure(name, sections), global_conf={"log_level": "CRITICAL"})
    listener = eventlet.listen(("127.0.0.1", int(port)), backlog=200)
    return eventlet.spawn(wsgi.server, listener, app, Silent(), socket_timeout=60)


def store(kind, port):
    builder = RingBuilder(0, 1, 0)
    device = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": int(port), "device": "disk", "weight": 1}
    builder.add_dev(device)
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{kind}.ring.gz"))
    extra = "disable_fallocate = true\n" if kind == "object" else ""
    return begin(kind, f"{extra}[pipeline:main]\npipeline = server\n[app:server]\nuse = egg:swift#{kind}\n", port)


proxy = f"""[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
min_segment_size = 1
[filter:slo]
use = egg:swift#slo
[filter:tempauth]
use = egg:swift#tempauth
user_{key.replace(":", "_")} = {secret} .admin
"""

os.makedirs(f"{folder}/node/disk", exist_ok=True)
servers = [store(kind, port) for kind, port in zip(["account", "container", "object"], ports[1:])]
servers.append(begin("proxy", proxy, ports[0]))
print("ready", flush=True)
for server in servers:
    server.wait()
