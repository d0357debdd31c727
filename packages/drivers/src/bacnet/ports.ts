import type { Clock } from '@plantroom/base/clock'
import { UdpPort } from './udp-port.ts'

/** The UDP ports in use. A port that nobody uses is closed. */
export interface Ports {
  /** Returns the port with this number, and a function that gives it up. */
  take(localPort: number): { port: UdpPort; leave(): void }
}

export function createPorts(clock: Clock): Ports {
  const ports = new Map<number, { port: UdpPort; users: number }>()

  function portOf(localPort: number) {
    const open = ports.get(localPort)
    if (open && !open.port.isBroken) return open
    const entry = { port: new UdpPort(localPort, clock), users: 0 }
    ports.set(localPort, entry)
    return entry
  }

  return {
    take(localPort) {
      const entry = portOf(localPort)
      entry.users += 1
      let isLeft = false
      return {
        port: entry.port,
        leave() {
          if (isLeft) return
          isLeft = true
          entry.users -= 1
          if (entry.users > 0) return
          entry.port.close()
          if (ports.get(localPort) === entry) ports.delete(localPort)
        },
      }
    },
  }
}
