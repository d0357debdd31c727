import { randomUUID } from 'node:crypto'
import { type Clock, within } from '@plantroom/base/clock'
import {
  type EquipmentScan,
  type FoundConnection,
  MAX_FOUND_CONNECTIONS,
  MAX_FOUND_DATAPOINTS,
} from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { Discovered, Protocol } from '@plantroom/drivers/driver'

/** The longest scan: a serial line with a silent unit at every address. */
const LONGEST_MS = 10 * 60_000
/** A scan that nobody asks about ends. */
const FORGOTTEN_MS = 60_000
/** How long an answer waits for the end of the scan. */
const WAIT_MS = 3_000
/** The answer must reach the caller who waits for it. */
const REPLY_MS = 1_000
const MAX_WARNINGS = 100

/** Where to look. */
export interface ScanRequest {
  protocol: string
  settings: Record<string, unknown>
}

/** Scans of a controller: one at a time. The last one is remembered until the next. */
export interface Scans {
  /** Resolves when the scan is over, or after a few seconds with what it has found so far. */
  start(request: ScanRequest, leftMs: number): Promise<EquipmentScan>
  look(id: string, leftMs: number): Promise<EquipmentScan>
  cancel(id: string): Promise<EquipmentScan>
  close(): void
}

interface Running {
  scan: EquipmentScan
  abort: AbortController
  over: Promise<void>
  cancelForgotten: () => void
  /** What is wrong with the request: then there is no scan. */
  refusal?: Failure
}

export function createScans(deps: { protocols: Readonly<Record<string, Protocol>>; clock: Clock }): Scans {
  const { protocols, clock } = deps
  let last: Running | undefined

  function watch(running: Running): void {
    if (running.scan.state !== 'running') return
    running.cancelForgotten()
    running.cancelForgotten = clock.after(FORGOTTEN_MS, () => running.abort.abort())
  }

  async function answer(running: Running, leftMs: number): Promise<EquipmentScan> {
    watch(running)
    await within(clock, Math.max(0, Math.min(WAIT_MS, leftMs - REPLY_MS)), running.over)
    return running.scan
  }

  function find(id: string): Running {
    if (last?.scan.id === id) return last
    throw rejected(`the controller knows no scan ${shown(id)}: it was restarted, or another scan began; scan again`)
  }

  return {
    async start(request, leftMs) {
      if (last?.scan.state === 'running') {
        throw rejected('a scan of this controller is running: wait until it is over, or cancel it')
      }
      const running = begin(request, protocols, clock)
      last = running
      const scan = await answer(running, leftMs)
      if (running.refusal) throw running.refusal
      return scan
    },
    look: async (id, leftMs) => answer(find(id), leftMs),
    async cancel(id) {
      const running = find(id)
      running.abort.abort()
      await running.over
      return running.scan
    },
    close: () => last?.abort.abort(),
  }
}

function begin(
  { protocol, settings }: ScanRequest,
  protocols: Readonly<Record<string, Protocol>>,
  clock: Clock,
): Running {
  const known = Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined
  if (!known?.discover) {
    throw rejected(`equipment of the protocol ${shown(protocol)} does not describe itself; name its addresses instead`)
  }
  const scan: EquipmentScan = {
    ...{ id: randomUUID(), state: 'running', done: 0, of: 0, connections: [], warnings: [], error: null },
  }
  const abort = new AbortController()
  const running: Running = { scan, abort, over: Promise.resolve(), cancelForgotten: () => {} }
  const cancelLimit = clock.after(LONGEST_MS, () => abort.abort())
  const end = (outcome: Partial<EquipmentScan>) => {
    cancelLimit()
    running.cancelForgotten()
    running.scan = { ...running.scan, ...outcome }
  }
  running.over = collect(known.discover(settings, { signal: abort.signal }), abort.signal, (change) => {
    running.scan = change(running.scan)
  }).then(
    () => end({ state: abort.signal.aborted ? 'cancelled' : 'done' }),
    (error: Error) => {
      if (error instanceof Failure && error.kind === 'invalid') running.refusal = rejected(error.message)
      end({ state: 'failed', error: error.message })
    },
  )
  return running
}

/** Adds to a scan what it comes across, within its bounds. */
export async function collect(
  found: AsyncIterable<Discovered>,
  signal: AbortSignal,
  update: (change: (scan: EquipmentScan) => EquipmentScan) => void,
): Promise<void> {
  for await (const each of found) {
    if (each.kind === 'progress') update((scan) => ({ ...scan, done: each.done, of: each.of }))
    else if (each.kind === 'warning') update((scan) => withWarning(scan, each.message))
    else update((scan) => withConnection(scan, each.connection))
    if (signal.aborted) return
  }
}

function withWarning(scan: EquipmentScan, message: string): EquipmentScan {
  if (scan.warnings.length >= MAX_WARNINGS || scan.warnings.includes(message)) return scan
  return { ...scan, warnings: [...scan.warnings, message] }
}

function withConnection(scan: EquipmentScan, found: FoundConnection): EquipmentScan {
  const { connections } = scan
  const room = MAX_FOUND_DATAPOINTS - connections.reduce((sum, { datapoints }) => sum + datapoints.length, 0)
  if (connections.length >= MAX_FOUND_CONNECTIONS || (room === 0 && found.datapoints.length > 0)) {
    return withWarning(scan, 'more was found than one scan returns: scan a smaller part')
  }
  const names = new Set(connections.map(({ name }) => name))
  let { name } = found
  for (let copy = 2; names.has(name); copy += 1) name = `${found.name} ${copy}`
  const isCut = found.datapoints.length > room
  const connection = {
    ...found,
    name,
    datapoints: found.datapoints.slice(0, room),
    warnings: found.warnings.slice(0, MAX_WARNINGS),
  }
  const added = { ...scan, connections: [...connections, connection] }
  return isCut ? withWarning(added, `only ${room} of the datapoints of ${name} are shown: scan it alone`) : added
}

const rejected = (message: string) => new Failure('rejected', message)
