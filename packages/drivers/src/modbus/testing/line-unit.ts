import type { Duplex } from 'node:stream'
import { SerialPort } from 'serialport'
import { RTU } from './peer-framing.ts'
import { type PeerRequest, takeRequests } from './scripted-peer.ts'

/** Passes every request that arrives at a serial port to `handler`, until the port is gone. */
export function startLineUnit(path: string, handler: (request: PeerRequest<Duplex>) => void): void {
  const port = new SerialPort({ path, baudRate: 19_200 })
  port.on('error', () => {})
  takeRequests(port, RTU, handler)
}
