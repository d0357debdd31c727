import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { sha256 } from '@plantroom/base/sha256'
import { describe, expect, test } from 'vitest'
import { type ChainLine, createChainCheck } from './verify-chain.ts'

const DEVICE = 'dev_1'
const OURS = generateKeyPairSync('ed25519')
const FORGER = generateKeyPairSync('ed25519')

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
const fingerprint = ({ publicKey }: { publicKey: KeyObject }) =>
  createHash('sha256').update(spki(publicKey)).digest('hex')

function signatureOf(text: string, { privateKey, publicKey } = OURS) {
  const signature = sign(null, Buffer.from(sha256(text), 'hex'), privateKey).toString('base64')
  return { key: spki(publicKey).toString('base64'), signature }
}

/** A chain as a controller makes it, with a signature on every third entry and on the last. */
function chainOf(count: number, keys = OURS): ChainLine[] {
  const lines: ChainLine[] = []
  for (let seq = 1; seq <= count; seq += 1) {
    const before = lines.at(-1)
    const entry = JSON.stringify({ deviceId: DEVICE, value: seq, seq, previous: before ? sha256(before.entry) : null })
    lines.push(seq % 3 === 0 || seq === count ? { entry, signed: signatureOf(entry, keys) } : { entry })
  }
  return lines
}

function verdictOf(lines: readonly ChainLine[], options: { fingerprints?: string[] } = {}) {
  const check = createChainCheck({ owner: { deviceId: DEVICE }, ...options })
  for (const line of lines) check.add(line)
  return check.verdict()
}

const change = (text: string, changes: object) => JSON.stringify({ ...JSON.parse(text), ...changes })
/** Changes an entry, and makes the hashes after it fit again, as someone could who has the database. */
function rechained(lines: readonly ChainLine[], seq: number): ChainLine[] {
  const forged: ChainLine[] = []
  for (const [index, line] of lines.entries()) {
    const previous = forged.at(-1)
    const changes = { ...(index === seq - 1 && { value: 99 }), previous: previous ? sha256(previous.entry) : null }
    forged.push(index < seq - 1 ? line : { ...line, entry: change(line.entry, changes) })
  }
  return forged
}

describe('a chain', () => {
  test('that is as it was signed is intact', () => {
    expect(verdictOf(chainOf(10))).toMatchObject({ entries: 10, first: 1, last: 10, keys: [fingerprint(OURS)] })
    expect(verdictOf(chainOf(10)).misfit).toBeUndefined()
    expect(verdictOf(chainOf(10), { fingerprints: [fingerprint(OURS)] }).misfit).toBeUndefined()
    expect(verdictOf([]).misfit).toBeUndefined()
  })

  test.each([1, 2, 3, 4, 9])('names entry %i when it was changed', (seq) => {
    const lines = chainOf(10)
    const line = lines[seq - 1] ?? { entry: '' }
    lines[seq - 1] = { ...line, entry: change(line.entry, { value: 99 }) }
    expect(verdictOf(lines).misfit).toEqual({ seq, problem: `entry ${seq} was changed` })
  })

  test('names the last entry when it was changed', () => {
    const lines = chainOf(9)
    const line = lines[8] ?? { entry: '' }
    lines[8] = { ...line, entry: change(line.entry, { value: 99 }) }
    // Entries 7 and 8 are not signed themselves, so only the three together are known not to fit.
    expect(verdictOf(lines).misfit).toEqual({
      seq: 7,
      problem: 'one of the entries 7 to 9 was changed: the signature does not fit',
    })
  })

  test.each([2, 3, 9])('names entry %i when it was removed', (seq) => {
    expect(verdictOf(chainOf(10).toSpliced(seq - 1, 1)).misfit).toEqual({ seq, problem: `entry ${seq} was removed` })
  })

  test('names several removed entries', () => {
    expect(verdictOf(chainOf(10).toSpliced(3, 4)).misfit).toEqual({ seq: 4, problem: 'entries 4 to 7 were removed' })
  })

  test('shows that its oldest entries are missing', () => {
    expect(verdictOf(chainOf(10).slice(4))).toMatchObject({ first: 5, misfit: undefined })
  })

  test('names an entry that was added, copied or moved', () => {
    const lines = chainOf(10)
    const [second = { entry: '' }] = lines.slice(1)
    expect(verdictOf(lines.toSpliced(5, 0, second)).misfit?.seq).toBe(2)
    expect(verdictOf([...lines, { ...second, entry: change(second.entry, { seq: 11 }) }]).misfit?.seq).toBe(11)
    const foreign = { entry: change(second.entry, { deviceId: 'dev_2' }) }
    expect(verdictOf(lines.toSpliced(1, 1, foreign)).misfit).toMatchObject({ seq: 2, problem: /another device/ })
  })

  test('names the signed part that was changed when the hashes were made to fit', () => {
    expect(verdictOf(rechained(chainOf(10), 5)).misfit).toEqual({
      seq: 4,
      problem: 'one of the entries 4 to 6 was changed: the signature does not fit',
    })
    expect(verdictOf(rechained(chainOf(10), 1)).misfit?.seq).toBe(1)
  })

  test('that someone else signed does not pass for the one of the controller', () => {
    expect(verdictOf(chainOf(10, FORGER), { fingerprints: [fingerprint(OURS)] }).misfit?.problem).toContain(
      'another key',
    )
    const taken = [...chainOf(6), ...chainOf(9, FORGER).slice(6), ...chainOf(12).slice(9)]
    expect(verdictOf(taken).misfit?.problem).toContain('several keys by turns')
  })

  test('of a controller that was replaced is intact with the keys of both, each for its own entries', () => {
    const NEW = generateKeyPairSync('ed25519')
    const keys = [fingerprint(OURS), fingerprint(NEW)]
    const continued = (first: readonly ChainLine[], by = NEW): ChainLine[] => {
      const entry = JSON.stringify({ deviceId: DEVICE, seq: 7, previous: sha256(first.at(-1)?.entry ?? '') })
      return [...first, { entry, signed: signatureOf(entry, by) }]
    }
    expect(verdictOf(continued(chainOf(6)), { fingerprints: keys })).toMatchObject({ keys, misfit: undefined })
    expect(verdictOf(continued(chainOf(6), FORGER), { fingerprints: keys }).misfit?.problem).toContain('another key')
    // A new key does not vouch for entries that were changed before it came.
    expect(verdictOf(continued(rechained(chainOf(6), 5)), { fingerprints: keys }).misfit?.problem).toContain(
      'the signature does not fit',
    )
  })

  test('without signatures, or with an unsigned or garbled end, is not intact', () => {
    const lines = chainOf(10)
    expect(verdictOf(lines.map(({ entry }) => ({ entry }))).misfit).toEqual({ seq: 10, problem: 'no entry is signed' })
    expect(verdictOf(lines.slice(0, 8)).misfit?.problem).toBe('the entries after 6 are not signed')
    const garbled = { entry: lines[9]?.entry ?? '', signed: { key: 'AAAA', signature: 'AAAA' } }
    expect(verdictOf(lines.with(9, garbled)).misfit).toBeDefined()
  })
})

describe('the activity of an organization', () => {
  const ORGANIZATION = 'org_1'

  /** Entries as the cloud makes them: each one is signed. */
  function activityOf(count: number, organizationId: string | null = ORGANIZATION): ChainLine[] {
    const lines: ChainLine[] = []
    for (let seq = 1; seq <= count; seq += 1) {
      const before = lines.at(-1)
      const entry = JSON.stringify({ seq, organizationId, value: seq, previous: before ? sha256(before.entry) : null })
      lines.push({ entry, signed: signatureOf(entry) })
    }
    return lines
  }

  function misfitOf(lines: readonly ChainLine[], organizationId: string | null = ORGANIZATION) {
    const check = createChainCheck({ owner: { organizationId } })
    for (const line of lines) check.add(line)
    return check.verdict().misfit
  }

  test('is intact as it was signed, also that of the service', () => {
    expect(misfitOf(activityOf(5))).toBeUndefined()
    expect(misfitOf(activityOf(5, null), null)).toBeUndefined()
  })

  test('names the first entry that was changed, removed or added', () => {
    const lines = activityOf(6)
    const changed = lines.map((line, index) =>
      index === 2 ? { ...line, entry: change(line.entry, { value: 99 }) } : line,
    )
    expect(misfitOf(changed)).toEqual({ seq: 3, problem: 'entry 3 was changed' })
    expect(misfitOf(rechained(lines, 3))).toEqual({
      seq: 3,
      problem: 'entry 3 was changed: the signature does not fit',
    })
    expect(misfitOf(lines.toSpliced(3, 1))).toEqual({ seq: 4, problem: 'entry 4 was removed' })
    expect(misfitOf(lines.slice(2))).toEqual({ seq: 1, problem: 'entries 1 to 2 were removed' })
    const [foreign] = activityOf(1, 'org_2')
    expect(misfitOf([...lines, { ...lines[5], entry: change(foreign?.entry ?? '', { seq: 7 }) }])).toEqual({
      seq: 7,
      problem: 'entry 7 is of another organization: it was added',
    })
  })
})
