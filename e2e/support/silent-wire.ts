import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy between controller and cloud that can go silent: sockets stay open, but nothing passes. */
export interface SilentWire extends AsyncDisposable {
  readonly port: number
  /** Holds back all data, or only the data from the controller. */
  cut(what?: 'everything' | 'from device'): void
  /** Delivers the data held back, late and in order, as TCP does. */
  heal(): void
  /** Discards the data held back: only new connections pass. */
  replace(): void
}

interface Line {
  device: Socket
  cloud: Socket
}

export async function silentWire(cloudPort: number): Promise<SilentWire> {
  const lines = new Set<Line>()
  let isCut = false

  const server = createServer({ noDelay: true }, (device) => {
    const line = { device, cloud: connect({ host: '127.0.0.1', port: cloudPort, noDelay: true }) }
    lines.add(line)
    forward(device, line.cloud)
    forward(line.cloud, device)
    device.on('close', () => lines.delete(line))
    if (isCut) hold(line)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    cut(what = 'everything') {
      isCut = what === 'everything'
      for (const line of lines) isCut ? hold(line) : line.device.pause()
    },
    heal() {
      isCut = false
      for (const { device, cloud } of lines) for (const socket of [device, cloud]) socket.resume()
    },
    replace() {
      isCut = false
    },
    async [Symbol.asyncDispose]() {
      for (const { device, cloud } of lines) for (const socket of [device, cloud]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function forward(from: Socket, to: Socket): void {
  from.on('data', (chunk) => to.write(chunk))
  from.on('end', () => to.end())
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}

/** Stops reading, which also delays the notice that the other end closed the connection. */
function hold({ device, cloud }: Line): void {
  device.pause()
  cloud.pause()
}
