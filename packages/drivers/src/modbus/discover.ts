import type { Protocol } from '@plantroom/contract/protocols'
import type { Discovered } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { parseConfig } from './config.ts'
import { readIdentification } from './frame.ts'
import type { Lines } from './lines.ts'
import { SCAN_READ, type ScannedUnit, scanUnits } from './scan-units.ts'
import type { UnitSession } from './unit-session.ts'

const USUAL_UNITS = '1-32'

/** Finds the units that answer, and what they say about themselves. */
export function discoverUnits<Address>(
  settings: Record<string, unknown>,
  lines: Lines<Address>,
  signal: AbortSignal,
): AsyncIterable<Discovered> {
  const { medium } = lines
  return scanUnits(settings, {
    ...{ lines, signal, usual: USUAL_UNITS },
    parse: (each) => parseConfig({ settings: each, datapoints: [] }, medium),
    ask: (unit) => askUnit(unit, medium.protocol),
  })
}

async function* askUnit(
  { session, settings, unitId, name }: ScannedUnit,
  protocol: Protocol,
): AsyncGenerator<Discovered> {
  const description = await identify(session)
  const isSunSpec = await describesItself(session)
  yield {
    kind: 'found',
    connection: {
      name: excerpt(`${description || 'Modbus'}, ${name}`, LONGEST_NAME),
      protocol,
      settings,
      datapoints: [],
      description,
      warnings: [
        isSunSpec
          ? `unit ${unitId} describes itself by SunSpec: scan it with the protocol sunspec`
          : "Modbus has no list of registers: add the datapoints from the maker's document, or use a template",
      ],
    },
  }
}

const LONGEST_NAME = 200
/** Maker, product and revision. */
const OBJECTS = [0, 1, 2]

/** Returns what the unit says about itself; empty where it does not. */
async function identify(session: UnitSession): Promise<string> {
  const found = new Map<number, string>()
  let address: number | undefined = 0
  for (let round = 0; round < OBJECTS.length && address !== undefined; round += 1) {
    const answer = await session.read({ functionCode: 43, address }, SCAN_READ)
    if (!('data' in answer)) break
    const { texts, next } = readIdentification(answer.data)
    for (const [object, text] of texts) found.set(object, excerpt(text))
    address = next
  }
  return OBJECTS.map((object) => found.get(object) ?? '')
    .filter(Boolean)
    .join(' ')
}

const SUNSPEC_PLACES = [40_000, 0, 50_000]
const SUNS = 'SunS'

async function describesItself(session: UnitSession): Promise<boolean> {
  for (const address of SUNSPEC_PLACES) {
    const answer = await session.read({ functionCode: 3, address, count: 2 }, SCAN_READ)
    if ('data' in answer && Buffer.from(answer.data).toString('latin1') === SUNS) return true
    if ('unanswered' in answer) return false
  }
  return false
}
