import type { Datapoint, Scaler } from '@plantroom/contract/datapoint'

/** Why `value` should not go to this datapoint, or `undefined`. Nobody after us clamps it: the service passes on what it is given. */
export function outsideEnvelope(
  { name, writeInputData, scaler }: Pick<Datapoint, 'name' | 'writeInputData' | 'scaler'>,
  value: number,
): string | undefined {
  if (!writeInputData) return undefined
  const { min, max } = writeInputData
  if (value >= min && value <= max) return undefined
  const raw = rawOf(value, scaler)
  const sent = raw === value || !Number.isFinite(raw) ? `${value}` : `${value} (raw ${raw})`
  return `${value} is outside ${min} to ${max}, the envelope of ${name}: the equipment would be sent ${sent}, nothing clamps it; --force passes it`
}

function rawOf(value: number, { inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler): number {
  const raw = ((value - inputValue1) * (outputValue2 - outputValue1)) / (inputValue2 - inputValue1) + outputValue1
  // The last digit of a double is noise of the arithmetic.
  return Number(raw.toPrecision(15))
}
