import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readDocument } from './document.ts'

function file(text: string, name = 'roof.yaml'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  return path
}

const ROOF = {
  technicalSystem: 'Roof',
  connections: [
    { name: 'Inverter', protocol: 'modbus-tcp', settings: { host: '10.0.0.5', unitId: 1 }, datapoints: [] },
  ],
}

const YAML = `
technicalSystem: Roof       # of the main building
connections:
  - name: Inverter
    protocol: modbus-tcp
    settings: { host: 10.0.0.5, unitId: 1 }
    datapoints: []
`

/** Each level contains the one below nine times: a few lines that expand to a billion. */
const BOMB = Array.from({ length: 10 }, (_, level) => {
  const items = level === 0 ? Array(9).fill('x') : Array(9).fill(`*a${level - 1}`)
  return `a${level}: &a${level} [${items.join(', ')}]`
}).join('\n')

const readRoof = (path: string) => readDocument(path, 'plan of a roof', 'technicalSystem and connections')

describe('a document', () => {
  test.each([
    ['JSON', JSON.stringify(ROOF, null, 2)],
    ['YAML', YAML],
    ['JSON with a byte order mark', `\uFEFF${JSON.stringify(ROOF)}`],
    ['YAML with Windows line endings', YAML.replaceAll('\n', '\r\n')],
  ])('may be %s', async (_form, text) => {
    expect(await readRoof(file(text))).toEqual(ROOF)
  })

  test('may use anchors and aliases', async () => {
    const text = 'technicalSystem: Roof\nscale: &scale { inputValue1: 0 }\nconnections: [{ a: *scale }, { a: *scale }]'
    expect(await readRoof(file(text))).toMatchObject({
      connections: [{ a: { inputValue1: 0 } }, { a: { inputValue1: 0 } }],
    })
  })

  test('that is an alias bomb is rejected before it expands', async () => {
    await expect(readRoof(file(BOMB))).rejects.toThrow('Excessive alias count')
  })

  test.each([
    ['empty', ''],
    ['a list', '- technicalSystem: Roof'],
    ['a text', 'Roof'],
    ['a number', '17'],
    ['null', 'null'],
  ])('that is %s is rejected, and the error says what it must be', async (_what, text) => {
    const path = file(text)
    await expect(readRoof(path)).rejects.toThrow(
      `${path} is not a plan of a roof: it must be an object with technicalSystem and connections`,
    )
  })

  test.each([
    ['is truncated', '{"technicalSystem": "Roof", "connections": ['],
    ['uses a name twice', 'technicalSystem: Roof\ntechnicalSystem: Cellar'],
    ['is indented by tabs', 'connections:\n\t- name: Inverter'],
    ['contains two documents', 'technicalSystem: Roof\n---\ntechnicalSystem: Cellar'],
  ])('that %s is rejected by name, in one line', async (_what, text) => {
    const path = file(text)
    const error: Error = await readRoof(path).then(
      () => expect.unreachable(),
      (caught) => caught,
    )
    expect(error.message).toContain(`${path} is neither JSON nor YAML: `)
    expect(error.message).not.toContain('\n')
  })

  test('in another encoding is rejected instead of read with wrong letters', async () => {
    const path = file('')
    writeFileSync(path, Buffer.from('technicalSystem: Küche\nconnections: []\n', 'latin1'))
    await expect(readDocument(path, 'commissioning file', 'connections')).rejects.toThrow(
      `${path} is not in UTF-8: save it as UTF-8`,
    )
  })

  test('that does not exist is rejected by name, with the reason', async () => {
    const path = join(temporaryFolder(), 'missing.yaml')
    await expect(readRoof(path)).rejects.toThrow(`${path} cannot be read (ENOENT)`)
  })

  test('that is a folder is rejected by name, with the reason', async () => {
    const path = join(temporaryFolder(), 'folder.yaml')
    mkdirSync(path)
    await expect(readRoof(path)).rejects.toThrow(`${path} cannot be read (EISDIR)`)
  })
})
