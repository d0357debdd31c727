import { describe, expect, test } from 'vitest'
import { correlate, readRequestId, readTraceparent, uncorrelated } from './correlation.ts'
import { createLog, type LogStyle, logOutput, readLogStyle } from './log.ts'

function logAs(style: Partial<LogStyle>, isTerminal: boolean) {
  const lines: string[] = []
  const output = logOutput(
    { format: 'auto', colours: true, ...style },
    { write: (line) => void lines.push(line) },
    isTerminal,
  )
  return { log: createLog('edge', 'debug', output), lines }
}

const ESC = '\u001b'

describe('a log on a terminal', () => {
  test('shows time, level, program, message and fields', () => {
    const { log, lines } = logAs({ colours: false }, true)
    log.warn({ device: 'dev_1', retryInMs: 250, reason: 'no answer', nested: { a: [1] } }, 'not connected')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARN {2}edge not connected device=dev_1 retryInMs=250 reason="no answer" nested=\{"a":\[1\]\}\n$/,
    )
  })

  test('has colours, unless NO_COLOR is set', () => {
    const coloured = logAs({}, true)
    coloured.log.error('broken')
    expect(coloured.lines[0]).toContain(`${ESC}[31mERROR${ESC}[0m`)
    const plain = logAs(readLogStyle({ NO_COLOR: '1' }, []), true)
    plain.log.error('broken')
    expect(plain.lines[0]).not.toContain(ESC)
  })

  test('shows the stack of an error on indented lines', () => {
    const { log, lines } = logAs({ colours: false }, true)
    log.error({ err: new Error('first\n2026-01-01T00:00:00.000Z INFO  edge forged') }, 'failed')
    const [head, ...rest] = (lines[0] ?? '').trimEnd().split('\n')
    expect(head).toContain(String.raw`failed err="first\n2026-01-01T00:00:00.000Z INFO  edge forged"`)
    expect(rest.length).toBeGreaterThan(1)
    for (const line of rest) expect(line).toMatch(/^ {4}\S/)
  })

  test.each(['message', 'field', 'name of a field', 'error', 'nested field'])(
    'lets no control character of a %s through',
    (place) => {
      const evil = `a${ESC}[2J\u009b31m\u0007\r\nINFO\u202eb\u2028\u0000\ud800`
      for (const colours of [true, false]) {
        const { log, lines } = logAs({ colours }, true)
        if (place === 'message') log.info(evil)
        else if (place === 'field') log.info({ value: evil }, 'said')
        else if (place === 'name of a field') log.info({ [evil]: 1 }, 'said')
        else if (place === 'nested field') log.info({ value: { [evil]: [evil] } }, 'said')
        else log.info({ err: new Error(evil) }, 'said')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
        const own = lines.join('').replaceAll(/\u001b\[\d+m/g, '')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
        expect(own).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/)
        expect(own.isWellFormed()).toBe(true)
        if (place !== 'error') expect(own.match(/\n/g)).toHaveLength(1)
      }
    },
  )
})

test('a log that is not on a terminal is JSON, and text when asked', () => {
  const json = logAs({}, false)
  json.log.info({ value: 'c1 \u009b and \u202e' }, 'said')
  expect(json.lines[0]).not.toMatch(/[\u009b\u202e]/)
  expect(JSON.parse(json.lines[0] ?? '')).toMatchObject({ msg: 'said', value: 'c1 \u009b and \u202e' })
  const text = logAs({ format: 'text' }, false)
  text.log.info('said')
  expect(text.lines[0]).toMatch(/Z INFO {2}edge said\n$/)
  const forced = logAs({ format: 'json' }, true)
  forced.log.info('said')
  expect(forced.lines[0]).toMatch(/^\{/)
})

test('the format of the log is checked with the other settings', () => {
  const problems: string[] = []
  expect(readLogStyle({ PLANTROOM_LOG_FORMAT: 'xml' }, problems).format).toBe('auto')
  expect(problems).toEqual(['PLANTROOM_LOG_FORMAT: xml is not one of auto, text, json'])
})

describe('correlation', () => {
  test('adds its fields to every line of the work, and to no other', async () => {
    const { log, lines } = logAs({ format: 'json' }, false)
    await correlate({ requestId: 'r1' }, async () => {
      await Promise.resolve()
      await correlate({ reqId: 'q1' }, async () => log.child({ device: 'd' }).info('inner'))
      log.info({ requestId: 'explicit' }, 'outer')
      uncorrelated(() => log.info('timer'))
    })
    log.info('after')
    const fields = lines.map((line) => JSON.parse(line)).map(({ msg, requestId, reqId }) => [msg, requestId, reqId])
    expect(fields).toEqual([
      ['inner', 'r1', 'q1'],
      ['outer', 'explicit', undefined],
      ['timer', undefined, undefined],
      ['after', undefined, undefined],
    ])
  })

  test('accepts only request ids that are safe in logs and headers', () => {
    for (const fine of ['a', 'A1.b_c:d-e', 'x'.repeat(128)]) expect(readRequestId(fine)).toBe(fine)
    for (const bad of ['', 'x'.repeat(129), 'a b', 'a\nb', 'é', '-a', undefined, ['a']]) {
      expect(readRequestId(bad)).toBeUndefined()
    }
  })

  test('reads a traceparent as W3C defines it', () => {
    const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const context = { traceId: trace, spanId: span, isSampled: true }
    expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual(context)
    expect(readTraceparent(`00-${trace}-${span}-00`)?.isSampled).toBe(false)
    expect(readTraceparent(`cc-${trace}-${span}-03-future`)).toEqual(context)
    const zero = '0'.repeat(32)
    for (const bad of [
      undefined,
      '',
      `ff-${trace}-${span}-01`,
      `00-${trace}-${span}-01-x`,
      `00-${zero}-${span}-01`,
      `00-${trace}-${zero.slice(16)}-01`,
      `00-${trace.toUpperCase()}-${span}-01`,
    ]) {
      expect(readTraceparent(bad)).toBeUndefined()
    }
  })
})
