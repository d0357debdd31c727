"""A BACnet device by bacpypes3, driven by lines of JSON.

The first line on stdin is {"port"}. It answers with {"port"} when it listens on loopback. It has analog-value,1 (commandable,
relinquish default 5), binary-output,1 and analog-input,1. A later line {"read": [object, property]} is answered with
{"value"}; {"slots": object} with the priority array; {"set": [object, value]} sets the present value of an input;
{"operator": [object, value]} writes slot 8, or empties it with null.
"""
import asyncio
import json
import socket
import sys

from bacpypes3.ipv4.app import NormalApplication
from bacpypes3.local.analog import AnalogInputObject, AnalogValueObjectCmd
from bacpypes3.local.binary import BinaryOutputObject
from bacpypes3.local.device import DeviceObject
from bacpypes3.pdu import IPv4Address
from bacpypes3.primitivedata import Null, Real


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def chosen(value):
    """What a choice of a priority array holds."""
    name = value._choice
    return None if name == "null" else float(getattr(value, name))


async def main():
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    first = json.loads(await lines.readline())
    port = first["port"] or free_port()
    device = DeviceObject(objectIdentifier=("device", 1234), objectName="bacpypes3", vendorIdentifier=999)
    app = NormalApplication(device, IPv4Address(f"127.0.0.1/32:{port}"))
    objects = {
        "analog-value,1": AnalogValueObjectCmd(
            objectIdentifier=("analog-value", 1), objectName="setpoint", presentValue=5.0, relinquishDefault=5.0,
            covIncrement=0.1, units="kilowatts", statusFlags=[0, 0, 0, 0], eventState="normal", outOfService=False,
        ),
        "binary-output,1": BinaryOutputObject(
            objectIdentifier=("binary-output", 1), objectName="fan", presentValue="inactive", relinquishDefault="inactive",
            statusFlags=[0, 0, 0, 0], eventState="normal", outOfService=False, polarity="normal",
        ),
        "analog-input,1": AnalogInputObject(
            objectIdentifier=("analog-input", 1), objectName="meter", presentValue=1.5, covIncrement=0.1, units="kilowatts",
            statusFlags=[0, 0, 0, 0], eventState="normal", outOfService=False,
        ),
    }
    for each in objects.values():
        app.add_object(each)
    await asyncio.sleep(0.1)
    print(json.dumps({"port": port}), flush=True)
    while line := await lines.readline():
        request = json.loads(line)
        answer = {}
        if "read" in request:
            name, attribute = request["read"]
            answer = {"value": float(getattr(objects[name], attribute))}
        if "slots" in request:
            slots = objects[request["slots"]].priorityArray
            answer = {"slots": [chosen(slots[index]) for index in range(16)]}
        if "set" in request:
            name, value = request["set"]
            objects[name].presentValue = value
        if "operator" in request:
            name, value = request["operator"]
            await objects[name].write_property("presentValue", Null(()) if value is None else Real(value), priority=8)
        print(json.dumps(answer), flush=True)


asyncio.run(main())
