import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'

const TSHARK = '/usr/bin/tshark'

/** Not installed here: the test that needs it is reported as skipped. */
export const withoutTshark = !existsSync(TSHARK)

/** What tshark makes of a message. */
export interface Dissected {
  /** The outermost protocol that it found last, for example `bacapp`. */
  protocols: string
  /** True if it could not read all of it, or found an error in it. */
  isWrong: boolean
  info: string
}

/** A message on a wire; `isOurs` if the driver sent it. */
export interface Sent {
  bytes: Uint8Array
  isOurs: boolean
}

/** How messages reach equipment. The port says which protocol they have. */
export interface Way {
  over: 'udp' | 'tcp'
  port: number
  preferences?: readonly string[]
}

export const BACNET: Way = { over: 'udp', port: 47_808 }
export const MODBUS_TCP: Way = { over: 'tcp', port: 502 }
export const MODBUS_RTU: Way = {
  over: 'tcp',
  port: 4001,
  preferences: ['mbrtu.tcp.port:4001', 'mbrtu.crc_verification:TRUE'],
}

/** Lets tshark read messages as if they had been sent to and from the port of the equipment. */
export async function dissect(
  messages: readonly Sent[],
  { over, port, preferences = [] }: Way,
): Promise<readonly Dissected[]> {
  const file = join(temporaryFolder(), 'frames.pcap')
  const packet = over === 'udp' ? datagrams(port) : stream(port)
  writeFileSync(file, Buffer.concat([FILE_HEADER, ...messages.map(packet)]))
  const fields = ['frame.protocols', '_ws.malformed', '_ws.expert.severity', '_ws.expert.group', '_ws.col.Info']
  const output = ['-T', 'fields', '-E', 'separator=/t', ...fields.flatMap((field) => ['-e', field])]
  const args = ['-r', file, ...preferences.flatMap((each) => ['-o', each]), ...output]
  const { stdout } = await promisify(execFile)(TSHARK, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [protocols = '', malformed = '', severity = '', group = '', info = ''] = line.split('\t')
    if (protocols === '') return []
    const isError = severity.split(',').some((each) => Number(each) >= ERROR)
    return [{ protocols, info, isWrong: malformed !== '' || isError || group.split(',').includes(CHECKSUM) }]
  })
}

/** The severity of errors in tshark; that of warnings is lower. A wrong checksum is a warning. */
const ERROR = 0x80_0000
const CHECKSUM = String(0x100_0000)

/** A file of raw IPv4 packets, little-endian. */
const FILE_HEADER = Buffer.from('d4c3b2a1020004000000000000000000ffff0000e4000000', 'hex')

/** The port of the driver. */
const OUR_PORT = 50_000
const [TCP, UDP] = [6, 17]

const datagrams =
  (port: number) =>
  ({ bytes, isOurs }: Sent): Buffer => {
    const udp = Buffer.alloc(8)
    udp.writeUInt16BE(isOurs ? OUR_PORT : port, 0)
    udp.writeUInt16BE(isOurs ? port : OUR_PORT, 2)
    udp.writeUInt16BE(8 + bytes.length, 4)
    return record(UDP, isOurs, Buffer.concat([udp, bytes]))
  }

/** The middle of one TCP connection, without a packet lost. */
function stream(port: number): (sent: Sent) => Buffer {
  const next = { ours: 1, theirs: 1 }
  return ({ bytes, isOurs }) => {
    const tcp = Buffer.alloc(20)
    tcp.writeUInt16BE(isOurs ? OUR_PORT : port, 0)
    tcp.writeUInt16BE(isOurs ? port : OUR_PORT, 2)
    tcp.writeUInt32BE(isOurs ? next.ours : next.theirs, 4)
    tcp.writeUInt32BE(isOurs ? next.theirs : next.ours, 8)
    // The length of this header, and the flags ACK and PSH.
    tcp.writeUInt16BE(0x50_18, 12)
    tcp.writeUInt16BE(0xff_ff, 14)
    next[isOurs ? 'ours' : 'theirs'] += bytes.length
    return record(TCP, isOurs, Buffer.concat([tcp, bytes]))
  }
}

function record(protocol: number, isOurs: boolean, content: Uint8Array): Buffer {
  const length = 20 + content.length
  const header = Buffer.alloc(16)
  header.writeUInt32LE(length, 8)
  header.writeUInt32LE(length, 12)
  const ip = Buffer.from('4500000000004000400000000000000000000000', 'hex')
  ip.writeUInt16BE(length, 2)
  ip.writeUInt8(protocol, 9)
  // The device is 10.0.0.2.
  ip.set([10, 0, 0, isOurs ? 1 : 2, 10, 0, 0, isOurs ? 2 : 1], 12)
  return Buffer.concat([header, ip, content])
}
