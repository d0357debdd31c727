// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of templates look like those of JavaScript
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument } from '@plantroom/base/document'
import { allFileProblems } from '@plantroom/contract/commissioning'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterEach, expect, test, vi } from 'vitest'
import { run } from '../run.ts'

const METER = ['commission', '--from-template', 'eastron-sdm630', '--set', 'protocol=modbus-tcp']
const RELAY = join(import.meta.dirname, '../../../../templates/modbus-relay-board.yaml')

/** Runs a command in this process, and returns what it prints. */
async function plantroom(...args: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  vi.spyOn(console, 'log').mockImplementation((text) => void out.push(text))
  vi.spyOn(console, 'error').mockImplementation((text) => void err.push(text))
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  const code = await run(args)
  vi.restoreAllMocks()
  return { code, out: out.join('\n'), err: err.join('\n') }
}
afterEach(() => vi.restoreAllMocks())

test('lists and shows templates', async () => {
  const { out } = await plantroom('template', 'list', '--json')
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ name: 'eastron-sdm630', family: 'meter', writable: 0 }),
  )
  expect((await plantroom('template', 'show', 'modbus-relay-board')).out).toMatch(
    /minOnSeconds +Shortest time on[\s\S]*source: /,
  )
  const unknown = await plantroom('template', 'show', 'eastron-sdm63')
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('did you mean eastron-sdm630')])
})

test('names every mistake of a template with its line, and accepts a good one', async () => {
  expect(await plantroom('template', 'check', RELAY)).toMatchObject({
    code: 0,
    out: expect.stringContaining('is a valid template'),
  })
  const path = join(temporaryFolder(), 'relay.yaml')
  const text = readFileSync(RELAY, 'utf8')
    .replace('unit: on/off', 'unit: onoff')
    .replace('question: "Coil', 'ask: "Coil')
  writeFileSync(path, text)
  const shape = await plantroom('template', 'check', path)
  expect([shape.code, shape.out]).toEqual([
    1,
    expect.stringMatching(/^line \d+: questions\[0\]\.ask: is not a known field/m),
  ])
  writeFileSync(path, text.replace('ask:', 'question:'))
  expect((await plantroom('template', 'check', path)).out).toMatch(
    /^line \d+: datapoints\[0\]\.unit: onoff .* write on\/off$/,
  )
  writeFileSync(path, readFileSync(RELAY, 'utf8').replace('register: "${input}"', 'register: "${input}", bit: 99'))
  expect((await plantroom('template', 'check', path)).out).toMatch(/^line \d+: datapoints\[1\]\.data\.bit: 99 must be/)
})

test('makes a commissioning file that passes the checks', async () => {
  const out = join(temporaryFolder(), 'meter.yaml')
  const made = await plantroom(...METER, '--set', 'host=192.0.2.8', '--set', 'name=Main meter', '--out', out)
  expect([made.code, made.err]).toEqual([0, ''])
  const file = await readDocument(out, 'commissioning file', 'connections')
  expect(allFileProblems(file)).toEqual([])
  expect(file).toMatchObject({
    technicalSystem: 'Main meter',
    connections: [{ settings: { host: '192.0.2.8', port: 502 } }],
  })
  const printed = await plantroom(...METER, '--set', 'host=192.0.2.8', '--json')
  expect(JSON.parse(printed.out)).toMatchObject({ connections: [{ protocol: 'modbus-tcp' }] })
})

test('names all answers that are missing or wrong', async () => {
  const { code, err } = await plantroom(...METER, '--set', 'unitId=999', '--set', 'hots=1')
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /--set hots=….*did you mean host\?.*--set host=…: is missing: .*--set unitId=…: "999" must be/,
    ),
  ])
})

test.each([
  ['unit: on/off', 'unit: furlong', /datapoints\[0\]\.unit: furlong is not a unit that templates use; use one of/],
  ['table: coil, register', 'table: holding, type: uint8, register', /datapoints\[0\]\.data\.type: uint8 must be/],
  ['"${input}"', '"${input}", wordOrder: XYZ', /data\.wordOrder: /],
  ['key: relay,', 'key: relays,', /\$\{relay\}: add a question with this key/],
  ['min: 0, max: 1', 'min: 1, max: 0', /datapoints\[0\]\..*(min|max)/],
])('template check says what is wrong when %j is %j', async (good, bad, message) => {
  const text = readFileSync(RELAY, 'utf8')
  expect(text).toContain(good)
  const path = join(temporaryFolder(), 'relay.yaml')
  writeFileSync(path, text.replace(good, bad))
  const { code, out } = await plantroom('template', 'check', path)
  expect([code, out]).toEqual([1, expect.stringMatching(message)])
  expect(out).toMatch(/^line \d+: /)
})

test('a template that turns -1 into 65535, or has registers that overlap, names the datapoint and its line', async () => {
  const path = join(temporaryFolder(), 'meter.yaml')
  const datapoint = (name: string, type: string, register: number, range: string) =>
    `  - { name: ${name}, accessType: READ, unit: kW, scale: 0.1, range: ${range}, data: { register: ${register}, type: ${type} } }`
  const lines = [
    ...['name: meter', 'title: Meter', 'maker: generic', 'model: any', 'family: meter', 'protocols:'],
    ...['  - protocol: modbus-tcp', '    settings: { host: "${host}" }', 'datapoints:'],
    datapoint('Import', 'uint16', 10, '{ min: -100, max: 100 }'),
    datapoint('Power', 'int32', 20, '{ min: -100, max: 100 }'),
    datapoint('Peak', 'int16', 21, '{ min: -100, max: 100 }'),
    ...['tried: simulated map', 'sources: [{ title: Data sheet, url: "https://example.com/" }]'],
  ]
  writeFileSync(path, lines.join('\n'))
  const { code, out } = await plantroom('template', 'check', path)
  expect([code, ...out.split('\n')]).toEqual([
    1,
    expect.stringMatching(/^line 10: datapoints\[0\]\.range\.min: -100 .* -1 would read as a large number\. Use int16/),
    expect.stringMatching(/^line 12: datapoints\[2\]\.data\.register: Peak and Power overlap at holding register 21/),
  ])
})

test.each([
  [['commission', '--set', 'a=1'], 'need --from-template'],
  [['commission', 'dev', 'file', '--from-template', 'x'], 'either FILE or --from-template'],
  [[...METER, '--set', 'host'], 'is not KEY=VALUE'],
  [[...METER, '--set', 'host=1', '--set', 'host=2'], 'given twice'],
  [['commission', 'dev'], 'FILE is missing'],
])('%j is wrong usage', async (args, message) => {
  const { code, err } = await plantroom(...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})
