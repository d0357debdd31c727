import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { type Finding, ok, problem, warning } from './check.ts'

const NODE_MAJOR = 24
const DRIFT_MS = 2_000
const WRONG_MS = 30_000

/** The program and what it runs on. */
export function checkVersions(version: string): Finding {
  const text = `Plantroom ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`
  return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR
    ? ok(text)
    : problem(text, `install Node ${NODE_MAJOR} or newer`)
}

/** Whether local times of sites can be calculated. */
export function checkTimeZones(): Finding {
  const zones = Intl.supportedValuesOf('timeZone').length
  const text = `time zone data ${process.versions.tz ?? 'unknown'} with ${zones} zones`
  return zones > 100 ? ok(text) : problem(text, 'use a Node with complete ICU data: schedules and exports need it')
}

/** Compares the clock with another one. `offsetMs` is positive when this machine is ahead. */
export function checkOffset(offsetMs: number, other: string): Finding {
  const size = Math.abs(offsetMs)
  const text = `${(size / 1000).toFixed(1)} s ${offsetMs < 0 ? 'behind' : 'ahead of'} ${other}`
  if (size <= DRIFT_MS) return ok(`agrees with ${other}`)
  const remedy =
    'synchronize both machines with a time server (chrony or systemd-timesyncd): timedatectl shows the state'
  return size <= WRONG_MS ? warning(text, remedy) : problem(text, remedy)
}

interface Port {
  host: string
  port: number
  /** The setting to change. */
  setting: string
  /** Who listens there: the program of the settings, or what to call another one. */
  listener(): Promise<'ours' | (string & {})>
  /** Whether the service may open low ports, which the user of this command may not. */
  mayOpenLowPorts?: boolean
}

/** Whether a port is free, or taken by ours. */
export async function checkPort({ host, port, setting, listener, mayOpenLowPorts = false }: Port): Promise<Finding> {
  if (port === 0) return ok('the system picks a free port')
  const place = `port ${port} on ${host}`
  // Asked before binding, so that the check does not take the port from a program that is just starting.
  if (await answers(host, port)) {
    const found = await listener()
    if (found === 'ours') return ok(`${place} is served by Plantroom`)
    return problem(`${place} is taken: ${found} answers`, `stop that program (ss -ltnp shows it), or set ${setting}`)
  }
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok(`${place} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' && mayOpenLowPorts) return ok(`${place} is free, and the unit may open it`)
    return problem(`${place} cannot be used (${code})`, REMEDIES[code ?? ''] ?? `set ${setting}`)
  } finally {
    server.close()
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'use a port above 1023, or give the service CAP_NET_BIND_SERVICE',
  EADDRNOTAVAIL: 'set the host to an address of this machine',
  ENOTFOUND: 'set the host to an address of this machine',
  EADDRINUSE: 'stop the program that uses it; ss -ltnp shows it',
}

/** Whether something accepts connections there. */
export function answers(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({
    host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
    port,
    timeout: 3_000,
  })
  socket.once('connect', () => resolve(true))
  for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
  return promise.finally(() => socket.destroy())
}
