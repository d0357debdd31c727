import { describe, expect, test } from 'vitest'
import { SourceError } from '../source.ts'
import { createSplitter } from './splitter.ts'

const OBJECTS = [
  { id: 1, text: 'a "quote\\", õ and 😀 {[', empty: {}, list: [] },
  { id: 2, users: 'no list', deep: { x: [1, 2.5, true, null, { y: ['}', ']'] }] } },
  { id: 3 },
]
const SOURCES = OBJECTS.map((object) => JSON.stringify(object))
const FORMS = {
  lines: `${SOURCES.join('\n')}\n`,
  'one after another': SOURCES.join(''),
  'a list': `[${SOURCES.join(' ,\r\n ')}]`,
  'pretty lines': OBJECTS.map((object) => JSON.stringify(object, null, 2)).join('\n\n'),
  'a list in an object': `\ufeff{"count": 3, "links": {"next": null}, "tickets": [${SOURCES.join()}], "end": [1]}`,
  'two lists': `{"tickets":[${SOURCES[0]},${SOURCES[1]}],"none":[],"users":[${SOURCES[2]}]}`,
}

function split(chunks: readonly Uint8Array[]): unknown[] {
  const splitter = createSplitter({ file: 'x.json', isList: (name) => name === 'tickets' || name === 'users' })
  const found = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)))
  splitter.end()
  return found.map(({ bytes }) => JSON.parse(bytes.toString('utf8')))
}

describe.each(Object.entries(FORMS))('the splitter of %s', (form, text) => {
  const bytes = Buffer.from(text)

  test('finds every object, however the file comes in chunks', () => {
    const expected = JSON.stringify(OBJECTS)
    const wrong = [...bytes.keys()].filter((at) => {
      return JSON.stringify(split([bytes.subarray(0, at), bytes.subarray(at)])) !== expected
    })
    expect(wrong).toEqual([])
    expect(split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(OBJECTS)
  })

  test('says where each object stands', () => {
    const splitter = createSplitter({ file: 'x.json', isList: (name) => name === 'tickets' || name === 'users' })
    for (const { start, end, line } of splitter.push(bytes)) {
      expect(OBJECTS).toContainEqual(JSON.parse(bytes.subarray(start, end).toString('utf8')))
      expect(line).toBe(bytes.subarray(0, start).toString('utf8').split('\n').length)
    }
  })

  test('refuses the file wherever it is cut, except between objects that nothing surrounds', () => {
    const accepted = [...bytes.keys()].filter((length) => isAccepted(bytes.subarray(0, length)))
    const whole = [...bytes.keys()].filter((length) => isWholeObjects(bytes.subarray(0, length).toString('utf8')))
    expect(accepted).toEqual(/list/.test(form) ? [] : whole)
  })
})

describe('an object without end', () => {
  const splitter = () => createSplitter({ file: 'x.json', isList: (name) => name === 'tickets' })
  // The same chunk again and again costs no memory here, as a slice of a file would.
  const chunk = Buffer.alloc(1 << 20, 'a')

  test.each(['[{"text":"', '{"'])('is refused: %s…', (start) => {
    const { push } = splitter()
    push(Buffer.from(start))
    const endless = () => {
      for (let megabytes = 0; megabytes < 200; megabytes += 1) push(chunk)
    }
    expect(endless).toThrow(/x\.json, line 1: what begins here has more than 32 MB/)
  })

  test('costs nothing while it is only spaces', () => {
    const { push, end } = splitter()
    for (let megabytes = 0; megabytes < 3; megabytes += 1) push(Buffer.alloc(1 << 20, ' '))
    expect(end).toThrow(/empty/)
  })
})

describe('a file of another format', () => {
  const push =
    (...bytes: number[]) =>
    () =>
      createSplitter({ file: 'x.json', isList: () => true }).push(Buffer.from(bytes))

  test.each([
    ['ZIP', [0x50, 0x4b], /is a ZIP archive; unpack it first/],
    ['gzip', [0x1f, 0x8b], /is compressed; unpack it with gunzip first/],
    ['UTF-16, little end first', [0xff, 0xfe], /is in UTF-16; save it as UTF-8/],
    ['UTF-16, big end first', [0xfe, 0xff], /is in UTF-16/],
    ['UTF-16 without mark', [0x7b, 0x00, 0x22, 0x00], /is in UTF-16/],
    ['UTF-16 without mark', [0x20, 0x20, 0x20, 0x00], /is in UTF-16/],
  ])('is named: %s', (_format, bytes, message) => {
    expect(push(...bytes)).toThrow(message)
  })

  test.each([
    [[0x50, 0x20]],
    [[0x20, 0x4b]],
    [[0x1f, 0x20]],
    [[0x20, 0x8b]],
    [[0xff, 0x20]],
    [[0xfe, 0x20]],
    [[0x20, 0xfe]],
    [[0x20, 0x20, 0x20, 0x20, 0x00]],
  ])('is not seen in single bytes: %j', (bytes) => {
    expect(push(...bytes)).not.toThrow(/ZIP|compressed|UTF-16/)
  })
})

function isAccepted(bytes: Uint8Array): boolean {
  try {
    return split([bytes]).length > 0
  } catch (error) {
    if (error instanceof SourceError) return false
    throw error
  }
}

function isWholeObjects(text: string): boolean {
  try {
    return JSON.parse(`[${text.trim().replaceAll(/\}\s*(?=\{"id"|\{\n {2}"id")/g, '},')}]`).length > 0
  } catch {
    return false
  }
}
