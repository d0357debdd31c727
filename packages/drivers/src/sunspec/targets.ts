import type { Target } from '../driver.ts'
import type { Medium } from '../modbus/medium.ts'
import type { SunspecConfig, SunspecPoint } from './config.ts'

/** Returns the target of each point, in order; `undefined` for a read-only point. */
export function targetsOf<Address>(
  config: SunspecConfig<Address>,
  medium: Medium<Address>,
): readonly (Target | undefined)[] {
  return config.points.map((point) => (point.writable ? targetOf(config, medium, point) : undefined))
}

/** Registers are known only once the device was asked, so that an address is a name here. */
function targetOf<Address>(
  { address, baseAddress }: SunspecConfig<Address>,
  medium: Medium<Address>,
  { unitId, model, instance, path, definition }: SunspecPoint,
): Target {
  const { text, identity, reach } = medium.canonical(address)
  const meaning = { type: definition.type, unit: definition.unit }
  const name = `point ${path} of model ${model}${instance === 1 ? '' : ` number ${instance}`}`
  return {
    space: `sunspec ${text}/${unitId}/${model}/${instance}/${path}`,
    start: 0,
    end: 1,
    name,
    reach,
    identity: JSON.stringify({
      ...identity,
      unitId,
      baseAddress: baseAddress ?? null,
      model,
      instance,
      path,
      ...meaning,
    }),
    meaning: JSON.stringify(meaning),
  }
}
