import { isDeepStrictEqual } from 'node:util'
import type { ControlState } from '@plantroom/contract/control-state'
import type { DeviceHealth } from '@plantroom/contract/health'
import type { ChainedEntry, ReportBatch } from '@plantroom/contract/reports'
import type { MeasurementBatch } from '@plantroom/contract/telemetry'
import type { Confirmed } from '@plantroom/contract/topics'

/** The cloud behind a device in a test: stores audit entries once each, and says what to confirm. */
export interface MemoryCloud {
  /** The stored entries, in the order of arrival. */
  readonly reports: readonly ChainedEntry[]
  /** Entries that arrived again with other content. */
  readonly contradictions: readonly ChainedEntry[]
  /** What the device said last about itself. */
  readonly health: DeviceHealth | undefined
  /** What the device said last about its holds. */
  readonly state: ControlState | undefined
  receive(topic: string, payload: string, confirm: (what: Confirmed, upTo: number) => void): void
}

export function createMemoryCloud(): MemoryCloud {
  const stored = new Map<string, ChainedEntry>()
  const contradictions: ChainedEntry[] = []
  let health: DeviceHealth | undefined
  let state: ControlState | undefined

  function store({ entries }: ReportBatch): number | undefined {
    for (const entry of entries) {
      const known = stored.get(entry.id)
      if (!known) stored.set(entry.id, entry)
      else if (!isDeepStrictEqual(known, entry)) contradictions.push(entry)
    }
    return entries.at(-1)?.seq
  }

  return {
    get reports() {
      return [...stored.values()]
    },
    contradictions,
    get health() {
      return health
    },
    get state() {
      return state
    },
    receive(topic, payload, confirm) {
      const [, , what] = topic.split('/')
      if (what === 'reports') {
        const upTo = store(JSON.parse(payload) as ReportBatch)
        if (upTo !== undefined) confirm('reports', upTo)
      }
      if (what === 'health') health = JSON.parse(payload) as DeviceHealth
      if (what === 'state') state = JSON.parse(payload) as ControlState
      if (what === 'measurements') confirm('measurements', (JSON.parse(payload) as MeasurementBatch).upTo)
    },
  }
}
