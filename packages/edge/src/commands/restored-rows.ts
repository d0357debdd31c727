import type { PlainValue } from '@plantroom/contract/control-state'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { MovedLoad } from '@plantroom/contract/power-limit'
import type { RestoredControl, RestoredHold, RestoredLimit, RestoredOverride } from '@plantroom/contract/replacement'
import { WRITERS } from '@plantroom/contract/writers'
import { type PendingEntry, pendingEntry } from '../reports/audit.ts'
import type { HoldStore } from '../store/hold-store.ts'
import type { Override } from '../store/override-store.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import { type Claim, FREE, writerOf } from '../writing/hold.ts'
import { type HoldDocument, toDocument } from '../writing/hold-document.ts'
import { type LimitState, limitsSwitching } from '../writing/limits.ts'

/** The rows of a journal that make a start of this controller continue where the one before it stopped. */
export interface RestoredRows {
  overrides: Override[]
  /** Overrides with an `applied` entry and no `released` one, with the value from before. */
  applied: [overrideId: string, valueBefore: RestoredHold['plainValue']][]
  holds: [datapointId: string, HoldDocument][]
  limits: [datapointId: string, LimitState][]
  powerLimits: PowerLimit[]
  moved: [datapointId: string, MovedLoad][]
}

/** A datapoint, and where it is commissioned. */
interface Commissioned {
  technicalSystemId: string
  connectionId: string
  datapoint: Datapoint
  /** Which writers of this controller may want something of it. No other would ever withdraw its claim. */
  isDriven: Record<'peak-shaving' | 'deviation' | 'power-limit', boolean>
}

/** Works out the rows. Drops what is about a datapoint that is not commissioned. Pure but for the ids of entries. */
export function restoredRows(
  { at, overrides, holds, limits = [], moved = {} }: RestoredControl,
  systems: readonly TechnicalSystem[],
  deviceId: string,
): RestoredRows {
  const places = new Map(systems.flatMap(datapointsOf).map((place) => [place.datapoint.id, place]))
  const placed = overrides.filter(({ datapointId }) => places.has(datapointId))
  const byId = new Map(placed.map((override) => [override.id, override]))
  const rows: RestoredRows = {
    overrides: placed.map(toOverride),
    applied: [],
    holds: [],
    limits: [],
    powerLimits: systems.some(({ powerLimit }) => powerLimit) ? limits.map(toPowerLimit) : [],
    moved: Object.entries(moved).filter(([id]) => places.get(id)?.isDriven['power-limit']),
  }
  const valuesBefore = new Map(holds.map(({ overrideId, plainValue }) => [overrideId, plainValue]))
  for (const { id, applied } of placed) if (applied) rows.applied.push([id, valuesBefore.get(id) ?? null])
  for (const hold of holds) {
    const place = places.get(hold.datapointId)
    if (!place) continue
    const override = hold.overrideId === null ? undefined : byId.get(hold.overrideId)
    rows.holds.push([hold.datapointId, holdDocument(hold, override, { ...place, at, deviceId })])
    if (limitsSwitching(place.datapoint.limits)) rows.limits.push([hold.datapointId, limitState(hold, at)])
  }
  return rows
}

/**
 * Adds what the writers of this controller itself hold since its start, of which the cloud knows nothing. Only they know what
 * the equipment had before.
 */
export function withOwnHolds(
  rows: RestoredRows,
  own: { holds: ReturnType<HoldStore<HoldDocument>['load']>; moved: ReadonlyMap<string, MovedLoad> },
  systems: readonly TechnicalSystem[],
): RestoredRows {
  const given = new Set([...rows.holds, ...rows.moved].map(([datapointId]) => datapointId))
  const places = new Map(systems.flatMap(datapointsOf).map((place) => [place.datapoint.id, place]))
  const isMissing = (datapointId: string) => places.has(datapointId) && !given.has(datapointId)
  const holds = own.holds.flatMap(({ datapointId, document }): RestoredRows['holds'] => {
    const { 'demand-response': _, ...claims } = document.claims
    return isMissing(datapointId) && Object.keys(claims).length > 0 ? [[datapointId, { ...document, claims }]] : []
  })
  return {
    ...rows,
    holds: [...rows.holds, ...holds],
    moved: [...rows.moved, ...[...own.moved].filter(([id]) => isMissing(id))],
  }
}

function datapointsOf({ id, connections, peakShaving, powerLimit, schedules = [] }: TechnicalSystem): Commissioned[] {
  const shed = new Set(peakShaving?.loads.map(({ datapointId }) => datapointId))
  const limited = new Set(powerLimit?.loads.map(({ datapointId }) => datapointId))
  const scheduled = new Set(schedules.map(({ datapointId }) => datapointId))
  return connections.flatMap(({ id: connectionId, datapoints }) =>
    datapoints.map((datapoint) => ({
      technicalSystemId: id,
      connectionId,
      datapoint,
      isDriven: {
        'peak-shaving': shed.has(datapoint.id),
        deviation: scheduled.has(datapoint.id),
        'power-limit': limited.has(datapoint.id),
      },
    })),
  )
}

function toOverride({ from, to, applied: _, ...rest }: RestoredOverride): Override {
  return { ...rest, from: Date.parse(from), to: Date.parse(to) }
}

function toPowerLimit({ from, to, applied, ...rest }: RestoredLimit): PowerLimit {
  const started = applied && ({ isApplied: true, isTakenOver: true } as const)
  return { ...rest, from: Date.parse(from), to: Date.parse(to), ...started }
}

function holdDocument(
  hold: RestoredHold,
  override: RestoredOverride | undefined,
  place: Commissioned & { at: string; deviceId: string },
): HoldDocument {
  const { plain, plainValue } = hold
  const claim = claimOf(hold, override, place.isDriven)
  const before = plain ? { plain: plainDocumentOf(plain) } : { known: { value: plainValue } }
  const free = { ...toDocument(FREE), ...before, left: hold.value }
  if (!claim) return free
  const holder = { claim, valueBefore: plainValue }
  const unsettled = override && override.to > place.at ? [tookOver(holder, place)] : []
  return { ...free, claims: { [claim.by]: claim }, holder, unsettled }
}

function plainDocumentOf({ raw = null, digits, image }: PlainValue): NonNullable<HoldDocument['plain']> {
  return { ...(digits === undefined ? { raw } : { digits }), ...(image !== undefined && { image }) }
}

/** Without a claim, the value from before is restored. */
function claimOf(
  hold: RestoredHold,
  override: RestoredOverride | undefined,
  isDriven: Commissioned['isDriven'],
): Claim | undefined {
  const { by, value } = hold
  // What no writer holds is held by the power limit, which counts as demand response. It decides when it starts.
  if (by === 'demand-response' && hold.overrideId === null) {
    return isDriven['power-limit'] ? { by: 'power-limit', want: { offset: 0 } } : undefined
  }
  if (by === 'demand-response') {
    if (!override) return undefined
    const { id, reqId, placedBy, placedByName: name, reason } = override
    const caller = { id: placedBy, name, reason }
    return {
      by,
      want: { value: override.value },
      overrideId: id,
      reqId,
      until: Date.parse(override.to),
      placedBy: caller,
    }
  }
  // Schedules and peak shaving state what they want when they start. Until then, this keeps the equipment where it is.
  return by !== 'plain' && isDriven[by] && typeof value === 'number' ? { by, want: { value } } : undefined
}

/** The audit entry that says that this controller holds the datapoint now. It waits for the answer of the equipment. */
function tookOver(
  { claim, valueBefore }: { claim: Claim; valueBefore: RestoredHold['plainValue'] },
  { technicalSystemId, connectionId, datapoint, at, deviceId }: Commissioned & { at: string; deviceId: string },
): PendingEntry {
  return pendingEntry(deviceId, {
    code: WRITERS[writerOf(claim)].auditCode,
    at,
    technicalSystemId,
    connectionId,
    datapointId: datapoint.id,
    overrideId: claim.overrideId ?? null,
    reqId: claim.reqId ?? null,
    phase: 'applied',
    reason: 'replaced',
    valueBefore,
    value: 'value' in claim.want ? claim.want.value : null,
    readBack: null,
    placedBy: claim.placedBy ?? null,
  })
}

/** When the equipment last switched is not known: it counts as just now, so that it is not switched too soon. */
function limitState({ value }: RestoredHold, at: string): LimitState {
  return { isOn: Number(value) !== 0, since: Date.parse(at), day: '', starts: 0, moves: [] }
}
