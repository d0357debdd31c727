import { Failure } from '@plantroom/contract/failure'
import { cases } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCommitsInTest } from '../testing/commits.ts'

interface Requested {
  kind: 'save' | 'record'
  name: string
  add: number
  ends: 'normally' | 'throws' | 'unwritable'
}
type Step = Requested | { kind: 'look' | 'break' | 'repair' | 'wait' }

const requested: fc.Arbitrary<Requested> = fc.record({
  kind: fc.constantFrom('save', 'record'),
  name: fc.constantFrom('a', 'b', 'c'),
  add: fc.integer({ min: 1, max: 9 }),
  ends: fc.constantFrom('normally', 'normally', 'normally', 'normally', 'throws', 'unwritable'),
})
const other = fc.record({
  kind: fc.constantFrom('look' as const, 'break' as const, 'repair' as const, 'wait' as const),
})
const plans = fc
  .array<Step>(fc.oneof({ weight: 3, arbitrary: requested }, { weight: 2, arbitrary: other }), {
    maxLength: 40,
  })
  // A mandatory change with an invalid statement stays in memory alone, so disk and memory may differ.
  .filter((plan) => plan.every((step) => !('ends' in step) || step.ends !== 'unwritable' || step.kind === 'save'))

test('memory has every accepted change in order, and so does the disk after every successful write', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const it = createCommitsInTest(temporaryFolder())
      const unwritable = it.journal.prepare('INSERT INTO thing (name, value) VALUES (NULL, NULL)')
      const model = new Map<string, number>()
      let accepted = 0
      let followed = 0
      let broken = false
      let waiting: Promise<void>[] = []

      function change({ kind, name, add, ends }: Requested): Promise<void> {
        const answer = it.commits[kind]((to) => {
          const value = (it.memory.get(name) ?? 0) + add
          it.put(to, name, value)
          to.after(() => {
            followed += 1
          })
          if (ends === 'throws') throw new Failure('rejected', 'no')
          if (ends === 'unwritable') to.write(unwritable)
          return value
        })
        return answer.then(
          (value) => {
            expect(ends).toBe('normally')
            model.set(name, (model.get(name) ?? 0) + add)
            accepted += 1
            expect(value).toBe(model.get(name))
          },
          () => expect(ends !== 'normally' || (kind === 'save' && broken)).toBe(true),
        )
      }

      async function look(): Promise<void> {
        await Promise.all(waiting)
        waiting = []
        expect(Object.fromEntries(it.memory.kept)).toEqual(Object.fromEntries(model))
        expect(followed).toBe(accepted)
        if (broken) return
        await change({ kind: 'save', name: 'look', add: 1, ends: 'normally' })
        expect(it.onDisk()).toEqual(Object.fromEntries(model))
      }

      for (const step of plan) {
        if ('ends' in step) waiting.push(change(step))
        else if (step.kind === 'wait') await it.clock.advance(5_000)
        else {
          await look()
          if (step.kind === 'break') it.breakDisk()
          if (step.kind === 'repair') it.repairDisk()
          if (step.kind !== 'look') broken = step.kind === 'break'
        }
      }
      await look()
      it.repairDisk()
      broken = false
      await look()
      it.commits.close()
      it.journal.close()
    }),
    cases(60),
  )
})
