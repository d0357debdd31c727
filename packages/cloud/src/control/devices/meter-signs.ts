import { sha256 } from '@plantroom/base/sha256'
import type { MeterSign } from '@plantroom/contract/api'
import { type FileProblem, kwPerUnit } from '@plantroom/contract/commissioning'
import type { Connection, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { MeterTestSettings } from '@plantroom/contract/judge-meter'
import type { OutputTestStore } from './output-test-store.ts'

/** Settings that decide how equipment is asked, and not which. */
const NOT_ADDRESS = /(?:Seconds|Ms|^username|^password|^maxGap|^maxRegistersPerRead)$/

interface Wired {
  connection: Connection
  datapoint: Datapoint
}

/** Stands for what a meter and a load are read and written with. Changes with the address, the scaler and the unit. */
export function wiringOf(meter: Wired, load: Wired): string {
  return sha256(JSON.stringify([meter, load].map(identityOf)))
}

function identityOf({ connection: { protocol, settings }, datapoint: { data, scaler, unit } }: Wired) {
  const address = sorted(settings).filter(([name]) => !NOT_ADDRESS.test(name))
  return [protocol, address, sorted(data), sorted(scaler), unit ?? null]
}

const sorted = (record: object) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Finds a datapoint in technical systems. */
export function findWired(systems: readonly TechnicalSystem[], datapointId: string): Wired | undefined {
  for (const connection of systems.flatMap(({ connections }) => connections)) {
    const datapoint = connection.datapoints.find(({ id }) => id === datapointId)
    if (datapoint) return { connection, datapoint }
  }
  return undefined
}

/** Returns how a test of a load becomes kW; `null` when one of both is no power. */
export function testSettings(systems: readonly TechnicalSystem[], meter: Wired, load: Wired): MeterTestSettings | null {
  const limit = systems.find(({ powerLimit }) => powerLimit?.meterId === meter.datapoint.id)?.powerLimit
  const known = limit?.loads.find(({ datapointId }) => datapointId === load.datapoint.id)
  const meterKwPerUnit = limit?.meterKwPerUnit ?? powerUnit(meter)
  if (meterKwPerUnit === undefined) return null
  if (known?.kind === 'switching') {
    return { meterKwPerUnit, load: { shedValue: known.shedValue, ratedKw: known.ratedKw } }
  }
  const perUnit = known?.kwPerUnit ?? powerUnit(load)
  return perUnit === undefined ? null : { meterKwPerUnit, load: { kwPerUnit: perUnit } }
}

const powerUnit = ({ datapoint: { unit } }: Wired) => (unit === undefined ? undefined : kwPerUnit({ unit }))

/** Returns the meter of a system's power limit, and when a test confirmed its sign; `undefined` without a power limit. */
export async function meterSignOf(
  tests: Pick<OutputTestStore, 'confirmedAt'>,
  deviceId: string,
  system: TechnicalSystem,
): Promise<MeterSign | undefined> {
  const meter = system.powerLimit && findWired([system], system.powerLimit.meterId)
  if (!meter) return undefined
  const loads = (system.powerLimit?.loads ?? []).flatMap(({ datapointId }) => findWired([system], datapointId) ?? [])
  const confirmedAt = await tests.confirmedAt(
    deviceId,
    loads.map((load) => wiringOf(meter, load)),
  )
  return {
    technicalSystemId: system.id,
    meter: namedOf(meter),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    loads: loads.map(namedOf),
  }
}

const namedOf = ({ datapoint: { id, name } }: Wired) => ({ id, name })

/** Asks for a test while none has confirmed the sign of the meter of a power limit. */
export async function signWarnings(...given: Parameters<typeof meterSignOf>): Promise<FileProblem[]> {
  const sign = await meterSignOf(...given)
  if (!sign || sign.confirmedAt !== null) return []
  const load = sign.loads[0]?.name ?? 'a load'
  const message = `no test has confirmed the sign of "${sign.meter.name}" yet: a limit with a turned meter moves the loads the wrong way; test "${load}" with this meter for half a minute (plantroom device test)`
  return [{ path: 'powerLimit.meter', message }]
}
