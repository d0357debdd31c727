import { describe, expect, test } from 'vitest'
import { createRefusalCounts, MAX_PER_NETWORK, MAX_REFUSALS } from './refusal-counts.ts'

const stranger = { action: 'refused', reason: 'unknown-key', network: '192.0.2.1' } as const
const partner = { ...stranger, reason: 'scope', by: { kind: 'key', id: 'key_1', name: 'Partner' } } as const

function taken(add: (counts: ReturnType<typeof createRefusalCounts>) => void) {
  const counts = createRefusalCounts(() => 0)
  add(counts)
  return counts.take()
}

describe('counted refusals', () => {
  test('are the same by reason, network and who it is about, and start over when they were taken', () => {
    const counts = createRefusalCounts(() => 5)
    for (const refusal of [stranger, stranger, { ...stranger, network: '192.0.2.2' }, partner]) counts.add(refusal)
    expect(counts.take().refusals.map(({ reason, network, count }) => [reason, network, count])).toEqual([
      ['scope', '192.0.2.1', 1],
      ['unknown-key', '192.0.2.1', 2],
      ['unknown-key', '192.0.2.2', 1],
    ])
    expect(counts.take()).toEqual({ refusals: [], others: 0 })
  })

  test('of one network that makes up keys become one, and leave room for others', () => {
    const { refusals, others } = taken((counts) => {
      for (let made = 0; made < 5_000; made += 1) counts.add({ ...stranger, keyId: `key_${made}` })
      counts.add({ ...stranger, network: '192.0.2.2' })
    })
    expect([refusals.length, others]).toEqual([MAX_PER_NETWORK + 2, 0])
    expect(refusals.find(({ reason }) => reason === 'many')?.count).toBe(5_000 - MAX_PER_NETWORK)
    expect(refusals.some(({ network }) => network === '192.0.2.2')).toBe(true)
  })

  test('of strangers from everywhere do not hide what a known caller tried', () => {
    const { refusals, others } = taken((counts) => {
      for (let host = 0; host < 5_000; host += 1) counts.add({ ...stranger, network: `2001:db8:${host}::/64` })
      counts.add(partner)
    })
    expect([refusals.length, others]).toEqual([MAX_REFUSALS + 1, 5_000 - MAX_REFUSALS])
    expect(refusals[0]).toMatchObject({ reason: 'scope', count: 1 })
  })
})
