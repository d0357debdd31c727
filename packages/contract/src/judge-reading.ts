import type { CommissionedDatapoint } from './commissioning/file.ts'
import { IDENTITY_SCALER, type Scaler } from './datapoint.ts'
import { type FlowPart, KILOWATTS } from './main-measurements.ts'

/** What a person should check about a reading of a datapoint. Each has a mend, `mendDatapoint`. */
export type ReadingCheck =
  /** It looks like a negative number that is read without its sign. */
  | { kind: 'unsigned'; type: SignedType; value: number }
  /** It looks this many times too large. */
  | { kind: 'scale'; factor: number; value: number }
  /** It says in which direction power flows. `isDoubtful` where that is the direction that is rare or impossible. */
  | { kind: 'direction'; part: FlowPart; isPositive: boolean; isDoubtful: boolean }

type Judged = Pick<CommissionedDatapoint, 'accessType' | 'unit' | 'kind' | 'data' | 'scaler'> &
  Pick<CommissionedDatapoint, 'writeInputData' | 'limits'>

const SIGNED = { uint16: 'int16', uint32: 'int32', uint64: 'int64' } as const
type UnsignedType = keyof typeof SIGNED
type SignedType = (typeof SIGNED)[UnsignedType]
const BITS: Readonly<Record<UnsignedType, number>> = { uint16: 16, uint32: 32, uint64: 64 }

/**
 * Returns what to check about a reading. It doubts only values that no equipment of a building has: `part` is what the
 * datapoint measures, where that is known. Pure.
 */
export function judgeReading(
  datapoint: Judged,
  { raw, value }: { raw: number | string | null; value: number | string | null },
  part?: FlowPart,
): ReadingCheck[] {
  if (raw === null || typeof value !== 'number' || !Number.isFinite(value)) {
    return typeof raw === 'string' ? unsignedCheck(datapoint, raw) : []
  }
  const unsigned = unsignedCheck(datapoint, raw)
  if (unsigned.length > 0) return unsigned
  const factor = isDeclared(datapoint, value) ? undefined : factorOf(datapoint, value)
  if (factor !== undefined) return [{ kind: 'scale', factor, value: divided(value, factor) }]
  return directionCheck(datapoint, value, part)
}

/** Registers of 16 bits count every step up to 65,535: only the last ones are rarer than a small negative number. */
const LAST_STEPS = 1000n
/** Readings in these units may be negative, and no counter has them. */
const SIGNED_UNITS = ['W', 'kW', 'MW', 'VA', 'kVA', 'var', 'kvar', 'A', 'mA', '°C', 'K', '%', '°']

function unsignedCheck(datapoint: Judged, raw: number | string): ReadingCheck[] {
  const { unit = '', kind, data, scaler = IDENTITY_SCALER } = datapoint
  const { type } = data
  const isCounted = kind === 'energy' || kind === 'counter' || !SIGNED_UNITS.includes(unit)
  if (!isUnsigned(type) || data.bit !== undefined || (isCounted && kind !== 'scale-factor')) return []
  if (!/^\d+$/.test(String(raw))) return []
  const digits = BigInt(raw)
  const whole = 2n ** BigInt(BITS[type])
  const value = toValue(Number(digits), scaler)
  const isRare = type !== 'uint16' || value > (USUAL.get(unit)?.possible ?? Number.POSITIVE_INFINITY)
  if (digits >= whole || digits < (isRare ? whole / 2n : whole - LAST_STEPS) || isDeclared(datapoint, value)) return []
  return [{ kind: 'unsigned', type: SIGNED[type], value: toValue(Number(digits - whole), scaler) }]
}

const isUnsigned = (type: unknown): type is UnsignedType => typeof type === 'string' && Object.hasOwn(SIGNED, type)

/** Reports whether the file itself says that the value is possible. */
function isDeclared({ limits, writeInputData }: Judged, value: number): boolean {
  const { min = limits?.min, max = limits?.max } = writeInputData ?? {}
  return min !== undefined && max !== undefined && value >= min && value <= max
}

const FACTORS = [10, 100, 1000]

/** Returns how many times too large a value looks: the smallest factor that leads to a usual value. */
function factorOf({ accessType, unit, limits, writeInputData }: Judged, value: number): number | undefined {
  const { max = limits?.max } = writeInputData ?? {}
  // A setpoint far outside of its own envelope.
  if (accessType !== 'READ' && max !== undefined && max > 0) {
    if (value < FAR_OUTSIDE * max) return undefined
    return FACTORS.find((factor) => value / factor <= max)
  }
  const usual = accessType === 'READ' && unit !== undefined ? USUAL.get(unit) : undefined
  const size = Math.abs(value)
  if (!usual || size <= usual.possible || usual.others?.some((one) => isNear(size, one))) return undefined
  return FACTORS.find((factor) => usual.is(size / factor))
}

const FAR_OUTSIDE = 5

interface Usual {
  /** Everything up to this is possible in a building. */
  possible: number
  /** Larger values that are possible too. */
  others?: readonly number[]
  is: (value: number) => boolean
}

const isNear = (value: number, nominal: number) => Math.abs(value - nominal) <= 0.1 * nominal
const isMains = (value: number) => isNear(value, 230) || isNear(value, 400)
/** Volts of medium voltage networks. */
const MEDIUM_VOLTAGES = [3000, 3300, 6000, 6600, 10_000, 11_000, 15_000, 20_000, 22_000, 30_000, 33_000]

const USUAL: ReadonlyMap<string, Usual> = new Map<string, Usual>([
  // Strings of solar modules have up to 1,500 V.
  ['V', { possible: 1500, others: MEDIUM_VOLTAGES, is: isMains }],
  // Drives turn motors with up to 400 Hz.
  ['Hz', { possible: 450, is: (value) => (value >= 47 && value <= 53) || (value >= 57 && value <= 63) }],
  ['%', { possible: 300, is: (value) => value <= 100 }],
  // Flue gas is hotter than anything else that buildings measure.
  ['°C', { possible: 400, is: (value) => value <= 100 }],
  ['kW', { possible: 100_000, is: (value) => value <= 1000 }],
])

/** Below this, in kW, a meter shows noise. */
const NOISE_KW = 0.05

function directionCheck({ unit = '', accessType }: Judged, value: number, part?: FlowPart): ReadingCheck[] {
  const kw = value * (KILOWATTS[unit] ?? Number.NaN)
  if (!part || accessType === 'WRITE' || !(Math.abs(kw) >= NOISE_KW)) return []
  const isPositive = kw > 0
  // What only generates or only draws has one direction. Grids and storages have both, so a person looks.
  const hasBoth = part === 'grid' || part === 'storage'
  if (!hasBoth && isPositive) return []
  return [{ kind: 'direction', part, isPositive, isDoubtful: !isPositive && part !== 'storage' }]
}

/** Returns the datapoint with what a check proposes: another type, or another scaler. */
export function mendDatapoint<Of extends Pick<Judged, 'data' | 'scaler'>>(datapoint: Of, check: ReadingCheck): Of {
  const { data, scaler = IDENTITY_SCALER } = datapoint
  if (check.kind === 'unsigned') return { ...datapoint, data: { ...data, type: check.type } }
  return { ...datapoint, scaler: check.kind === 'scale' ? smaller(scaler, check.factor) : turned(scaler) }
}

function smaller(scaler: Scaler, factor: number): Scaler {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  // Whole numbers stay whole.
  if (inputValue1 === 0 && outputValue1 === 0) return { ...scaler, outputValue2: outputValue2 * factor }
  return { ...scaler, inputValue1: divided(inputValue1, factor), inputValue2: divided(inputValue2, factor) }
}

function turned(scaler: Scaler): Scaler {
  const { inputValue1, inputValue2 } = scaler
  // Without a zero below zero.
  return { ...scaler, inputValue1: 0 - inputValue1, inputValue2: 0 - inputValue2 }
}

function toValue(raw: number, { inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler): number {
  const value = ((raw - outputValue1) * (inputValue2 - inputValue1)) / (outputValue2 - outputValue1) + inputValue1
  return Number(value.toPrecision(DIGITS))
}

const divided = (value: number, factor: number) => Number((value / factor).toPrecision(DIGITS))
const DIGITS = 15
