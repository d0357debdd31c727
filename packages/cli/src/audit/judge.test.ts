import { createHash } from 'node:crypto'
import { type AuditKey, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import type { AuditHead, KeyReason } from '@plantroom/contract/audit-head'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Judgement, judge } from './judge.ts'
import { createReader } from './read-export.ts'

const SERVICE = openAuditKey(newAuditKey())
const CONTROLLER = openAuditKey(newAuditKey())
const FORGER = openAuditKey(newAuditKey())
const DEVICE = 'dev_1'

interface Made {
  count: number
  by?: AuditKey
  service?: AuditKey
  from?: number
  /** Changes entries before they are chained and signed. */
  edit?(entry: { seq: number; value: number }): object
  keys?: [AuditKey, KeyReason][]
}

/** The lines of an export as the service makes it, with a signature on every third entry and on the last. */
function exportOf({
  count,
  by = CONTROLLER,
  service = SERVICE,
  from = 1,
  edit = (entry) => entry,
  keys,
}: Made): string[] {
  const lines = [JSON.stringify({ plantroomAudit: 2, deviceId: DEVICE })]
  let last: string | undefined
  for (let seq = from; seq < from + count; seq += 1) {
    const own = edit({ seq, value: seq * 10 })
    const entry = JSON.stringify({ deviceId: DEVICE, ...own, previous: last === undefined ? null : sha256(last) })
    const isSigned = seq % 3 === 0 || seq === from + count - 1
    lines.push(JSON.stringify({ entry, ...(isSigned && { signed: by.sign(sha256(entry)) }) }))
    last = entry
  }
  const recorded = keys ?? [[CONTROLLER, 'first']]
  const head: AuditHead = {
    ...{ plantroomAuditHead: 1, deviceId: DEVICE, count },
    keys: recorded.map(([{ fingerprint }, reason]) => ({ fingerprint, reason, at: '2030-01-01T00:00:00.000Z' })),
    first: count === 0 ? null : from,
    last: count === 0 ? null : from + count - 1,
    hash: last === undefined ? null : sha256(last),
    lines: createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex'),
    at: '2030-01-02T00:00:00.000Z',
  }
  const text = JSON.stringify(head)
  return [...lines, JSON.stringify({ head: text, signed: service.sign(sha256(text)) })]
}

const TRUST = { service: [SERVICE.fingerprint], controller: [] as string[] }

/** What `verify` says. A file that cannot be read as an export is broken, too. */
function judged(lines: readonly string[], trust = TRUST): Judgement {
  try {
    const reader = createReader(trust.controller)
    for (const line of lines) reader.add(line)
    const contents = reader.end()
    if (contents) return judge(contents, trust)
  } catch {}
  return { standing: 'broken', reason: 'not an export' }
}
const NO_TRUST = { service: [], controller: [] }

describe('an export', () => {
  test.each([0, 1, 2, 10])('of %i entries is intact by the key of the service', (count) => {
    expect(judged(exportOf({ count }))).toMatchObject({ standing: 'intact', signedBy: SERVICE.fingerprint })
  })

  test('is intact when the audit was not signed from the beginning', () => {
    expect(judged(exportOf({ count: 5, from: 7 })).standing).toBe('intact')
  })

  test('is not vouched for without that key, and says what to do', () => {
    expect(judged(exportOf({ count: 10 }), NO_TRUST)).toMatchObject({ standing: 'unvouched', reason: /--trust/ })
  })

  test('of an earlier version is not vouched for, whatever is trusted', () => {
    const old = [JSON.stringify({ plantroomAudit: 1, deviceId: DEVICE }), ...exportOf({ count: 10 }).slice(1, -1)]
    for (const trust of [TRUST, NO_TRUST, { ...TRUST, controller: [CONTROLLER.fingerprint] }]) {
      expect(judged(old, trust)).toMatchObject({ standing: 'unvouched', reason: /earlier version.*export it again/ })
    }
  })

  test.each([
    ['the beginning', (lines: string[]) => lines.toSpliced(1, 4), /beginning was cut: entries 1 to 4/],
    ['the middle', (lines: string[]) => lines.toSpliced(4, 2), /entries 4 to 5 were removed/],
    ['the end', (lines: string[]) => lines.toSpliced(7, 4), /end was cut: entries 7 to 10/],
    ['the end with its head', (lines: string[]) => lines.slice(0, 7), /end of the file is missing/],
    ['everything', (lines: string[]) => lines.toSpliced(1, 10), /all 10 entries were removed/],
  ])('without %s is not intact, with or without trust', (_, cut, reason) => {
    for (const trust of [TRUST, NO_TRUST]) {
      expect(judged(cut(exportOf({ count: 10 })), trust)).toMatchObject({ standing: 'broken', reason })
    }
  })

  test('that someone else made as a whole is not intact, and without trust never more than consistent', () => {
    const forged = exportOf({ count: 10, by: FORGER, service: FORGER, keys: [[FORGER, 'first']] })
    expect(judged(forged)).toMatchObject({ standing: 'broken', reason: /not the key that you trust/ })
    expect(judged(forged, NO_TRUST).standing).toBe('unvouched')
  })

  test('with the head of another export is not intact', () => {
    const other = exportOf({ count: 9 }).at(-1) ?? ''
    expect(judged([...exportOf({ count: 10 }).slice(0, -1), other]).standing).toBe('broken')
  })
})

describe('the keys that sign entries', () => {
  test.each<[KeyReason, Judgement['standing']]>([
    ['first', 'intact'],
    ['replaced', 'intact'],
    ['memory-lost', 'intact'],
    ['unexplained', 'unvouched'],
  ])('that the service recorded as %s make an export %s', (reason, standing) => {
    expect(judged(exportOf({ count: 4, keys: [[CONTROLLER, reason]] })).standing).toBe(standing)
  })

  test('that the service did not record are not vouched for, except by the caller', () => {
    const lines = exportOf({ count: 4, by: FORGER })
    expect(judged(lines)).toMatchObject({ standing: 'unvouched', reason: /has not recorded it.*--key/ })
    expect(judged(lines, { ...TRUST, controller: [FORGER.fingerprint] }).standing).toBe('intact')
    expect(judged(lines, { ...TRUST, controller: [CONTROLLER.fingerprint] }).standing).toBe('broken')
  })
})

describe('after any edit, an export is not intact', () => {
  const LINES = exportOf({ count: 12 })
  const place = fc.nat({ max: LINES.length - 1 })
  const isEdited = (lines: readonly string[]) => lines.join('\n') !== LINES.join('\n')
  const found = (lines: readonly string[]) => {
    fc.pre(isEdited(lines))
    expect(judged(lines).standing).toBe('broken')
    // Without trust, a file that nothing contradicts is never called intact.
    expect(judged(lines, NO_TRUST).standing).not.toBe('intact')
  }

  test('lines are cut', () => {
    fc.assert(fc.property(place, fc.integer({ min: 1, max: 13 }), (from, count) => found(LINES.toSpliced(from, count))))
  })

  test('lines are swapped or copied', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const [one = '', other = ''] = [LINES[a], LINES[b]]
        found(LINES.with(a, other).with(b, one))
        found(LINES.toSpliced(a, 0, other))
        found(LINES.with(a, other))
      }),
    )
  })

  test('a character is changed, removed or added', () => {
    fc.assert(
      fc.property(
        place,
        fc.nat(),
        fc.constantFrom('', '0', '9', 'a', 'A', '"', ' ', '\\', '/'),
        (at, index, character) => {
          const line = LINES[at] ?? ''
          const position = index % line.length
          for (const removed of [0, 1]) {
            found(LINES.with(at, line.slice(0, position) + character + line.slice(position + removed)))
          }
        },
      ),
      cases(300),
    )
  })

  test('entries are changed and everything is chained and signed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer(), fc.boolean(), (at, value, hasNewHead) => {
        const forged = exportOf({
          ...{ count: 12, by: FORGER, service: FORGER, keys: [[FORGER, 'first']] },
          edit: (entry) => (entry.seq === at ? { ...entry, value } : entry),
        })
        found(hasNewHead ? forged : [...forged.slice(0, -1), LINES.at(-1) ?? ''])
      }),
    )
  })

  test('signatures are removed', () => {
    fc.assert(
      fc.property(place, (at) => {
        const { signed: _, ...rest } = JSON.parse(LINES[at] ?? '')
        found(LINES.with(at, JSON.stringify(rest)))
      }),
    )
  })
})
