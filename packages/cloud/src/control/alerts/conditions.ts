import type { Alert, AlertKind, ExportTroubleCause } from '@plantroom/contract/alerts'
import type { RollbackReason } from '@plantroom/contract/control-state'
import type { HealthTrouble } from '@plantroom/contract/health'
import type { LimitState } from '@plantroom/contract/power-limit'
import type { LostMemory, MissedLimit, OpenadrTrouble, SeenDevice, StoredHealth, WentBack } from './fact-store.ts'

/** Health that is older says nothing about a device that is online: it sends one every 5 minutes. */
const FRESH_MS = 12 * 60_000

/** A shorter silence says nothing: when a device sent is stored every 2 minutes. */
const SHORTEST_SILENCE_MS = 5 * 60_000

/** A device as the cloud knows it. */
export interface KnownDevice {
  id: string
  organizationId: string
  siteId: string
  name: string
}

/** What is wrong with the automatic export of a site. */
export interface ExportTrouble {
  organizationId: string
  siteId: string
  cause: ExportTroubleCause
  /** For people, without secrets. */
  reason: string
  /** The names of the targets that got no package. */
  target: string
  since: Date
}

/** Something that is wrong now. */
export interface Condition {
  kind: AlertKind
  organizationId: string
  siteId: string
  deviceId: string | null
  deviceName: string | null
  subject: Alert['subject']
  details: Readonly<Record<string, unknown>>
  /** When it began. */
  since: number
}

export interface Facts {
  now: number
  /** Since when this process watches: nothing is silent for longer. */
  watchingSince: number
  devices: Iterable<KnownDevice>
  seen: ReadonlyMap<string, SeenDevice>
  troubled: readonly StoredHealth[]
  archiving: ReadonlySet<string>
  measured: ReadonlyMap<string, number>
  lostMemory: readonly LostMemory[]
  wentBack: readonly WentBack[]
  missedLimits: readonly MissedLimit[]
  exports: readonly ExportTrouble[]
  openadr: readonly OpenadrTrouble[]
}

/** Identifies a trouble: at most one alert is open for each. */
export function keyOf({ kind, deviceId, subject }: Pick<Condition, 'kind' | 'deviceId' | 'subject'>): string {
  return JSON.stringify([kind, deviceId, subject.id])
}

/** Returns everything that is wrong now, by key. Pure. */
export function conditionsOf(facts: Facts): Map<string, Condition> {
  const { seen, troubled, archiving, measured, now, watchingSince } = facts
  const health = new Map(troubled.map((one) => [one.deviceId, one]))
  const found = new Map<string, Condition>()
  const add = (condition: Condition) => {
    const key = keyOf(condition)
    const known = found.get(key)
    found.set(key, known ? { ...condition, ...known, since: Math.min(known.since, condition.since) } : condition)
  }
  const lost = new Map(facts.lostMemory.map((one) => [one.deviceId, one]))
  const back = new Map(facts.wentBack.map((one) => [one.deviceId, one]))
  const missed = Map.groupBy(facts.missedLimits, ({ deviceId }) => deviceId)
  for (const device of facts.devices) {
    for (const one of missed.get(device.id) ?? []) add(aboutLimit(device, one))
    const loss = lost.get(device.id)
    if (loss) {
      const details = loss.reason === null ? {} : { reason: loss.reason }
      add(aboutDevice(device, 'memory-lost', loss.noticedAt.getTime(), details))
    }
    const went = back.get(device.id)
    if (went) add(aboutRollback(device, went))
    const presence = seen.get(device.id)
    // A device that was never seen is not commissioned yet.
    if (!presence) continue
    if (!presence.online) {
      add(aboutDevice(device, 'controller-offline', presence.since, {}))
      continue
    }
    const reported = health.get(device.id)
    if (reported && now - reported.receivedAt.getTime() <= FRESH_MS) reportedBy(device, reported).forEach(add)
    if (archiving.has(device.id)) {
      const since = Math.max(measured.get(device.id) ?? 0, presence.since, watchingSince)
      if (now - since >= SHORTEST_SILENCE_MS) add(aboutDevice(device, 'telemetry-gap', since, {}))
    }
  }
  facts.exports.map(aboutExport).forEach(add)
  facts.openadr.map(aboutProgram).forEach(add)
  return found
}

function reportedBy(device: KnownDevice, { receivedAt, document }: StoredHealth): Condition[] {
  const at = (seconds: number) => receivedAt.getTime() - seconds * 1000
  const list = (kind: AlertKind, subject: Alert['subject']['kind'], troubles: readonly HealthTrouble[]) =>
    troubles.map(({ id, name, seconds, reason }) => ({
      ...aboutDevice(device, kind, at(seconds), reason === null ? {} : { reason }),
      subject: { kind: subject, id, name: name || id },
    }))
  const flag = (kind: AlertKind, seconds: number | null, details: Condition['details']) =>
    seconds === null ? [] : [aboutDevice(device, kind, at(seconds), details)]
  return [
    ...list('connection-lost', 'connection', document.connections),
    ...list('setpoint-not-taken', 'datapoint', document.notTaken),
    ...list('not-restored', 'datapoint', document.notRestored),
    ...flag('clock-wrong', document.clockWrongSeconds, { offsetMs: document.clockOffsetMs }),
    ...flag('disk-low', document.diskLowSeconds, { freeBytes: document.freeBytes }),
    ...flag('disk-failed', document.journalTroubleSeconds ?? null, { reason: document.journalTrouble }),
    ...flag('telemetry-gap', document.droppedSeconds, { dropped: document.droppedMeasurements }),
  ]
}

/** Why a limit was not kept, by the last state of the controller within the interval. */
const LIMIT_REASONS: Readonly<Record<LimitState, string>> = {
  unlimited: 'the limit ended within the interval',
  limited: 'the loads did not follow in time',
  fallback: 'the meter could not be trusted',
  exhausted: 'everything that may be moved was moved',
}

function aboutLimit(device: KnownDevice, { meterId, meterName, interval }: MissedLimit): Condition {
  const { direction, limitKw, meanKw, state, to } = interval
  const details = { direction, limitKw, meanKw, state, reason: LIMIT_REASONS[state] }
  const condition = aboutDevice(device, 'limit-not-kept', Date.parse(to), details)
  return { ...condition, subject: { kind: 'datapoint', id: meterId, name: meterName ?? meterId } }
}

/** Why a controller went back, for people. */
const ROLLBACK_TEXTS: Readonly<Record<RollbackReason, string>> = {
  'not-heard': 'it did not hear the service again',
  'connections-lost': 'connections that were up before were lost',
  restarts: 'it had to start again and again',
}

function aboutRollback(device: KnownDevice, { system, since, how: { reason, lost } }: WentBack): Condition {
  const because = ROLLBACK_TEXTS[reason]
  const details = { technicalSystem: system, reason: lost.length > 0 ? `${because}: ${lost.join(', ')}` : because }
  return aboutDevice(device, 'file-rolled-back', since.getTime(), details)
}

/** A site has one automatic export, so one alert at a time. */
function aboutExport({ organizationId, siteId, cause, reason, target, since }: ExportTrouble): Condition {
  const subject = { kind: 'automatic-export', id: siteId, name: target } as const
  const nowhere = { deviceId: null, deviceName: null }
  const details = { cause, reason }
  return { kind: 'export-failed', organizationId, siteId, ...nowhere, subject, details, since: since.getTime() }
}

function aboutProgram({ kind, organizationId, siteId, programId, programName, ...trouble }: OpenadrTrouble): Condition {
  const { reason, count, since } = trouble
  const subject = { kind: 'openadr-program', id: programId, name: programName } as const
  const details = kind === 'openadr-refused' ? { reason, count } : { reason }
  return { kind, organizationId, siteId, deviceId: null, deviceName: null, subject, details, since: since.getTime() }
}

function aboutDevice(
  { id, organizationId, siteId, name }: KnownDevice,
  kind: AlertKind,
  since: number,
  details: Condition['details'],
): Condition {
  const subject = { kind: 'device', id, name } as const
  return { kind, organizationId, siteId, deviceId: id, deviceName: name, subject, details, since }
}
