"""A BACnet device by BAC0, driven by the lines of JSON that bacpypes_device.py describes."""
import asyncio
import json
import socket
import sys

import BAC0
from BAC0.core.devices.local.factory import analog_input, analog_value, binary_output
from bacpypes3.primitivedata import Null, ObjectIdentifier, Real

NAMES = {"analog-value,1": "setpoint", "binary-output,1": "fan", "analog-input,1": "meter"}


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
    # Everything that BAC0 prints goes elsewhere: our lines are on stdout.
    answers, sys.stdout = sys.stdout, sys.stderr
    BAC0.log_level("silence")
    device = BAC0.lite(ip="127.0.0.1/32", port=port, deviceId=1234, localObjName="BAC0", ping=False)
    value = analog_value(
        instance=1, name="setpoint", presentValue=5, is_commandable=True, relinquish_default=5,
        properties={"units": "kilowatts", "covIncrement": 0.1},
    )
    # An output is commandable in any case.
    binary_output(instance=1, name="fan", presentValue="inactive", properties={"relinquishDefault": "inactive"})
    meter = analog_input(
        instance=1, name="meter", presentValue=1.5, properties={"units": "kilowatts", "covIncrement": 0.1}
    )
    meter.add_objects_to_application(device)
    app = device.this_application.app
    objects = {name: app.objectIdentifier[ObjectIdentifier(name)] for name in NAMES}
    await asyncio.sleep(0.1)
    print(json.dumps({"port": port}), file=answers, flush=True)
    while line := await lines.readline():
        request = json.loads(line)
        answer = {}
        if "slots" in request:
            slots = objects[request["slots"]].priorityArray
            answer = {"slots": [chosen(slots[index]) for index in range(16)]}
        if "set" in request:
            name, value = request["set"]
            objects[name].presentValue = value
        if "operator" in request:
            name, value = request["operator"]
            await objects[name].write_property("presentValue", Null(()) if value is None else Real(value), priority=8)
        print(json.dumps(answer), file=answers, flush=True)


asyncio.run(main())
