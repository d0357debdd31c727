import type { Alert, AlertKind } from './alerts.ts'

type Grouped = Pick<Alert, 'kind' | 'deviceId' | 'beganAt'>

/** An alert with the others that it explains. */
export interface AlertGroup<One extends Grouped> {
  /** The cause; the first one of several that began together. */
  lead: One
  /** Alerts of the same kind on other controllers that began within minutes: one power cut is one line. */
  together: readonly One[]
  /** What the cause takes with it, on the same controllers. */
  caused: readonly One[]
}

/** Fewer are not worth a line of their own. */
const LEAST_TOGETHER = 3
const TOGETHER_MS = 120_000
/** A controller notices the loss of a connection a little later than its consequences. */
const EARLIER_MS = 60_000

/** What each kind explains on the same controller, if it began before. The stronger cause comes first. */
const EXPLAINS: readonly (readonly [cause: AlertKind, ReadonlySet<AlertKind>])[] = [
  [
    'controller-offline',
    new Set([
      'connection-lost',
      'setpoint-not-taken',
      'not-restored',
      'limit-not-kept',
      'clock-wrong',
      'telemetry-gap',
      'memory-lost',
    ]),
  ],
  ['disk-failed', new Set(['memory-lost', 'disk-low', 'telemetry-gap'])],
  ['connection-lost', new Set(['setpoint-not-taken', 'not-restored', 'limit-not-kept', 'telemetry-gap'])],
]

/** Groups alerts by their cause, in the order of the first of each group. Takes as long as sorting them. */
export function groupAlerts<One extends Grouped>(alerts: readonly One[]): AlertGroup<One>[] {
  const causes = new Map<string, One>()
  for (const [kind] of EXPLAINS) {
    for (const alert of alerts) {
      if (alert.kind === kind && alert.deviceId !== null && !causes.has(keyOf(kind, alert.deviceId))) {
        causes.set(keyOf(kind, alert.deviceId), alert)
      }
    }
  }
  const caused = Map.groupBy(alerts, (alert) => causeOf(alert, causes))
  const leads = caused.get(undefined) ?? []
  return joined(leads).map(([lead, ...together]) => ({
    lead,
    together,
    caused: [lead, ...together].flatMap((one) => caused.get(one) ?? []),
  }))
}

const keyOf = (kind: AlertKind, deviceId: string) => `${kind} ${deviceId}`
const began = ({ beganAt }: Grouped) => Date.parse(beganAt)

/** The strongest cause, which has none itself. */
function causeOf<One extends Grouped>(alert: One, causes: ReadonlyMap<string, One>): One | undefined {
  const { kind, deviceId } = alert
  if (deviceId === null) return undefined
  for (const [cause, explained] of EXPLAINS) {
    const found = causes.get(keyOf(cause, deviceId))
    // A controller that is away says nothing new, so what it said before belongs to it whenever it began.
    const isLater = found && (cause === 'controller-offline' || began(alert) >= began(found) - EARLIER_MS)
    if (isLater && explained.has(kind)) return found
  }
  return undefined
}

/** Joins alerts of one kind on many controllers whose beginnings follow each other closely. */
function joined<One extends Grouped>(leads: readonly One[]): [One, ...One[]][] {
  const position = new Map(leads.map((lead, index) => [lead, index]))
  const place = (one: One) => position.get(one) ?? 0
  const groups: [One, ...One[]][] = []
  for (const [, ofKind] of Map.groupBy(leads, ({ kind }) => kind)) {
    const runs: [One, ...One[]][] = []
    for (const one of ofKind.toSorted((a, b) => began(a) - began(b))) {
      const last = runs.at(-1)
      if (one.deviceId !== null && last?.at(-1) && began(one) - began(last.at(-1) ?? one) <= TOGETHER_MS) last.push(one)
      else runs.push([one])
    }
    for (const run of runs) {
      const isOne = new Set(run.map(({ deviceId }) => deviceId)).size >= LEAST_TOGETHER
      const sorted = run.sort((a, b) => place(a) - place(b))
      groups.push(...(isOne ? [sorted] : sorted.map((one): [One] => [one])))
    }
  }
  return groups.sort(([a], [b]) => place(a) - place(b))
}
