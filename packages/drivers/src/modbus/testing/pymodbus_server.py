"""A Modbus server by pymodbus, driven by lines of JSON.

The first line on stdin is what it holds: {"port", "framer", "serial", "values": [{"unit", "table", "address", "type", "order",
"value"}]}. "framer" is "tcp" or "rtu"; "serial" is the path of a serial port, which it then serves instead of a TCP port. It
answers with {"port"}. A later line {"unit", "table", "address", "type", "order"} asks what it holds there now, and is
answered with {"value"} as text; with a "value" it is stored there instead, and answered with {}. A line {"silent": [{"unit", "table", "address"}]} names the addresses for which it gives no
answer from then on, and is answered with {}. All encoding and decoding is pymodbus's own.
"""
import asyncio
import json
import logging
import sys

from pymodbus.constants import Endian
from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.device import ModbusDeviceIdentification
from pymodbus.exceptions import NoSuchSlaveException
from pymodbus.payload import BinaryPayloadBuilder, BinaryPayloadDecoder
from pymodbus.server.async_io import ModbusSerialServer, ModbusTcpServer
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer

logging.disable(logging.CRITICAL)

TABLES = {"coil": "co", "discrete": "di", "holding": "hr", "input": "ir"}
STORES = {"coil": "c", "discrete": "d", "holding": "h", "input": "i"}
# Byte order within a register, and order of the registers.
ORDERS = {
    "ABCD": (Endian.Big, Endian.Big),
    "CDAB": (Endian.Big, Endian.Little),
    "BADC": (Endian.Little, Endian.Big),
    "DCBA": (Endian.Little, Endian.Little),
}
METHODS = {
    "int16": ("16bit_int", 1, int),
    "uint16": ("16bit_uint", 1, int),
    "bool": ("16bit_uint", 1, int),
    "int32": ("32bit_int", 2, int),
    "uint32": ("32bit_uint", 2, int),
    "int64": ("64bit_int", 4, int),
    "uint64": ("64bit_uint", 4, int),
    "float32": ("32bit_float", 2, float),
    "float64": ("64bit_float", 4, float),
}


class Block(ModbusSparseDataBlock):
    """Gives no answer to a request that includes a silent address."""

    silent = frozenset()

    def validate(self, address, count=1):
        if not self.silent.isdisjoint(range(address, address + count)):
            raise NoSuchSlaveException()
        return super().validate(address, count)


def silence(slaves, entries):
    for unit, slave in slaves.items():
        for table, store in STORES.items():
            slave.store[store].silent = frozenset(
                entry["address"] for entry in entries if (entry["unit"], entry["table"]) == (unit, table)
            )


def registers_of(entry):
    if entry["table"] in ("coil", "discrete"):
        return [bool(int(entry["value"]))]
    method, _, kind = METHODS[entry["type"]]
    byteorder, wordorder = ORDERS[entry["order"]]
    builder = BinaryPayloadBuilder(byteorder=byteorder, wordorder=wordorder)
    getattr(builder, f"add_{method}")(kind(entry["value"]))
    payload = b"".join(builder.build())
    return [int.from_bytes(payload[at : at + 2], "big") for at in range(0, len(payload), 2)]


def value_at(slaves, entry):
    store = slaves[entry["unit"]].store[STORES[entry["table"]]]
    if entry["table"] in ("coil", "discrete"):
        return str(int(store.getValues(entry["address"], 1)[0]))
    method, width, _ = METHODS[entry["type"]]
    byteorder, wordorder = ORDERS[entry["order"]]
    payload = b"".join(word.to_bytes(2, "big") for word in store.getValues(entry["address"], width))
    decoder = BinaryPayloadDecoder(payload, byteorder=byteorder, wordorder=wordorder)
    return repr(getattr(decoder, f"decode_{method}")())


IDENTITY = ModbusDeviceIdentification(
    info_name={"VendorName": "Pymodbus", "ProductCode": "PM", "MajorMinorRevision": "3.0"}
)


async def main():
    lines = asyncio.StreamReader(limit=2**24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)

    layout = json.loads(await lines.readline())
    contents = {}
    for entry in layout["values"]:
        unit = contents.setdefault(entry["unit"], {table: {} for table in TABLES})
        for index, word in enumerate(registers_of(entry)):
            unit[entry["table"]][entry["address"] + index] = word
    slaves = {
        unit: ModbusSlaveContext(
            zero_mode=True, **{TABLES[table]: Block(words or {65535: 0}) for table, words in tables.items()}
        )
        for unit, tables in contents.items()
    }

    context = ModbusServerContext(slaves=slaves, single=False)
    if layout.get("serial"):
        server = ModbusSerialServer(
            context,
            framer=ModbusRtuFramer,
            identity=IDENTITY,
            port=layout["serial"],
            baudrate=19200,
            ignore_missing_slaves=True,
        )
        await server.start()
        serving = asyncio.ensure_future(server.serve_forever())
        print(json.dumps({"port": 0}), flush=True)
    else:
        server = ModbusTcpServer(
            context,
            framer=ModbusRtuFramer if layout.get("framer") == "rtu" else ModbusSocketFramer,
            identity=IDENTITY,
            address=("127.0.0.1", layout["port"]),
            allow_reuse_address=True,
            ignore_missing_slaves=True,
        )
        serving = asyncio.ensure_future(server.serve_forever())
        await server.serving
        print(json.dumps({"port": server.server.sockets[0].getsockname()[1]}), flush=True)
    while line := await lines.readline():
        question = json.loads(line)
        if "silent" in question:
            silence(slaves, question["silent"])
            print(json.dumps({}), flush=True)
        elif "value" in question:
            slaves[question["unit"]].store[STORES[question["table"]]].setValues(question["address"], registers_of(question))
            print(json.dumps({}), flush=True)
        else:
            print(json.dumps({"value": value_at(slaves, question)}), flush=True)
    serving.cancel()


asyncio.run(main())
