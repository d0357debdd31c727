import { expect, test } from 'vitest'
import { createKnownFiles } from './known-files.ts'

function memory(first: Record<string, string> = {}) {
  const kept = new Map(Object.entries(first))
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}

test('the file of a job is known again, of the last hundred', () => {
  const storage = memory()
  const known = createKnownFiles(() => storage)
  for (let job = 0; job < 150; job += 1) known.remember(`job_${job}`, `${job}.fpl`)
  known.remember('job_149', 'again.fpl')
  expect([known.of('job_149'), known.of('job_60'), known.of('job_49')]).toEqual(['again.fpl', '60.fpl', undefined])
})

test('a browser that keeps nothing, or nonsense, is no obstacle', () => {
  const nonsense = createKnownFiles(() => memory({ 'plantroom-package-files': '[1,{"a":2},["job",3]]' }))
  expect(nonsense.of('job')).toBeUndefined()
  const refusing = createKnownFiles(() => {
    throw new Error('denied')
  })
  refusing.remember('job', 'a.fpl')
  expect(refusing.of('job')).toBeUndefined()
})
