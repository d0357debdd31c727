import { generateKeyPairSync, sign } from 'node:crypto'

/** Makes a self-signed certificate for a host name, or for 127.0.0.1. */
export function selfSigned(hostName?: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(object(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)) // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(object(0x55, 0x04, 0x03), der(0x0c, Buffer.from('station')))))
  const address = der(0x87, Buffer.of(127, 0, 0, 1))
  const alternativeName = sequence(hostName === undefined ? address : der(0x82, Buffer.from(hostName)))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1)), // serial number
    algorithm,
    name,
    sequence(utcTime('000101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(object(0x55, 0x1d, 0x11), der(0x04, alternativeName)))),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', toBeSigned, privateKey))
  const base64 = sequence(toBeSigned, algorithm, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const object = (...bytes: number[]) => der(0x06, Buffer.of(...bytes))
const utcTime = (text: string) => der(0x17, Buffer.from(text))
