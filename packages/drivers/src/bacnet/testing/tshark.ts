import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'

const TSHARK = '/usr/bin/tshark'

/** Not installed here: the test that needs it is reported as skipped. */
export const withoutTshark = !existsSync(TSHARK)

/** What tshark makes of a datagram. */
export interface Dissected {
  /** The outermost protocol that it found last, for example `bacapp`. */
  protocols: string
  /** True if it could not read all of it, or found an error in it. */
  isWrong: boolean
  info: string
}

const BACNET_PORT = 47_808

/** Lets tshark read datagrams as if they had been sent to and from the port of BACnet. */
export async function dissect(
  datagrams: readonly { bytes: Uint8Array; isOurs: boolean }[],
): Promise<readonly Dissected[]> {
  const file = join(temporaryFolder(), 'frames.pcap')
  writeFileSync(file, Buffer.concat([FILE_HEADER, ...datagrams.map(packet)]))
  const fields = ['frame.protocols', '_ws.malformed', '_ws.expert.severity', '_ws.col.Info']
  const args = ['-r', file, '-T', 'fields', '-E', 'separator=/t', ...fields.flatMap((field) => ['-e', field])]
  const { stdout } = await promisify(execFile)(TSHARK, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').flatMap((line) => {
    const [protocols = '', malformed = '', severity = '', info = ''] = line.split('\t')
    if (protocols === '') return []
    return [{ protocols, info, isWrong: malformed !== '' || severity.split(',').some((each) => Number(each) >= ERROR) }]
  })
}

/** The severity of errors in tshark; that of warnings is lower. */
const ERROR = 0x80_0000

/** A file of raw IPv4 packets, little-endian. */
const FILE_HEADER = Buffer.from('d4c3b2a1020004000000000000000000ffff0000e4000000', 'hex')

function packet({ bytes, isOurs }: { bytes: Uint8Array; isOurs: boolean }): Buffer {
  const length = 28 + bytes.length
  const record = Buffer.alloc(16)
  record.writeUInt32LE(length, 8)
  record.writeUInt32LE(length, 12)
  const ip = Buffer.from('45000000000040004011000000000000000000000000', 'hex').subarray(0, 20)
  ip.writeUInt16BE(length, 2)
  // The device is 10.0.0.2.
  ip.set([10, 0, 0, isOurs ? 1 : 2, 10, 0, 0, isOurs ? 2 : 1], 12)
  const udp = Buffer.alloc(8)
  udp.writeUInt16BE(isOurs ? 50_000 : BACNET_PORT, 0)
  udp.writeUInt16BE(isOurs ? BACNET_PORT : 50_000, 2)
  udp.writeUInt16BE(8 + bytes.length, 4)
  return Buffer.concat([record, ip, udp, bytes])
}
