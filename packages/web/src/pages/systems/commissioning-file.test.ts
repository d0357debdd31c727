import { describe, expect, test } from 'vitest'
import { CommissioningFileError, fileNameOf, readCommissioningFile } from './commissioning-file.ts'

const read = (text: string) => readCommissioningFile(new Blob([text]))

describe('a commissioning file', () => {
  test('is JSON or YAML', async () => {
    const file = { technicalSystem: 'A', connections: [{ name: 'C', datapoints: [{ name: 'D' }] }] }
    expect((await read(JSON.stringify(file))).document).toEqual(file)
    const yaml = await read('technicalSystem: A\nconnections:\n  - name: C\n    datapoints: [{ name: D }]\n')
    expect(yaml.document).toEqual(file)
  })

  test.each([
    ['', 'must be an object', []],
    ['[1]', 'must be an object', []],
    ['a: [1\nb: }', 'neither JSON nor YAML', [/^Line 2: /]],
    ['a: 1\na: 2\nb: 1\nb: 2', 'neither JSON nor YAML', [/^Line 2: .*unique/, /^Line 4: .*unique/]],
    ['a: &a [x]\nb: [*a,*b]', 'neither JSON nor YAML', [/alias/]],
  ])('%j is rejected with every reason', async (text, message, reasons) => {
    const error = await read(text).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CommissioningFileError)
    const { message: said, reasons: given } = error as CommissioningFileError
    expect(said).toContain(message)
    for (const reason of reasons) expect(given.join('\n')).toMatch(new RegExp(reason.source, 'm'))
  })

  test('is read with its letters, also as editors of Windows save it', async () => {
    const text = 'technicalSystem: Küche\nconnections: []\n'
    const unicode = Uint16Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0))
    const westEuropean = Uint8Array.from(text, (character) => character.charCodeAt(0))
    for (const bytes of [unicode, westEuropean]) {
      const { document } = await readCommissioningFile(new Blob([bytes]))
      expect(document).toEqual({ technicalSystem: 'Küche', connections: [] })
    }
  })

  test.each([
    ['technicalSystem', 1],
    ['connections[0].datapoints[1].data.register', 8],
    ['connections[0].datapoints[0].data.register', 5],
    ['connections[0].protocol', 3],
    ['connections[7].name', 3],
    ['schedules', 1],
  ])('has %s, or what is around it, in line %i', async (path, line) => {
    const { lineOf } = await read(
      [
        'technicalSystem: Room',
        'connections:',
        '  - name: Inverter',
        '    datapoints:',
        '      - { name: Power, data: { register: 1 } }',
        '      - name: Valve',
        '        data:',
        '          register: x',
      ].join('\n'),
    )
    expect(lineOf(path)).toBe(line)
  })

  test('is not read when it is too large', async () => {
    await expect(readCommissioningFile(new Blob(['x'.repeat(3 * 1024 * 1024 + 1)]))).rejects.toThrow('3 MB')
  })

  test('is rejected when it is made of aliases', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
    for (let depth = 0; depth < 8; depth += 1) {
      const [here, before] = [`b${depth}`, depth === 0 ? 'a' : `b${depth - 1}`]
      bomb.push(`${here}: &${here} [${Array(10).fill(`*${before}`).join(',')}]`)
    }
    await expect(read(bomb.join('\n'))).rejects.toBeInstanceOf(CommissioningFileError)
  })
})

test('names a file after its system', () => {
  expect(['Battery room', 'Õhk/ÕHK 2', '机房'].map(fileNameOf)).toEqual([
    'battery-room.json',
    'ohk-ohk-2.json',
    'technical-system.json',
  ])
})
