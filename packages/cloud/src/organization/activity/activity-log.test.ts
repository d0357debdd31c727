import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { ANNA, openLog, readChain } from './testing/logs.ts'

const added = (organizationId: string | null | readonly string[], name = 'Site') =>
  ({ organizationId, action: 'site-added', subject: { kind: 'site', id: 'site_1', name } }) as const

describe('the activity log', () => {
  test('keeps who did what, when and from where, signed and chained to the entry before', async () => {
    const { db, key, activity } = await openLog({ clock: createManualClock(Date.UTC(2030, 0, 1)) })
    await activity.change({ actor: ANNA }, async (_tx, note) => note({ ...added('org_a'), details: { a: 1 } }))
    await activity.change({ actor: ANNA }, async (_tx, note) => note(added('org_a', 'Other')))
    const [first, second] = await readChain(db, 'org_a')
    expect(first).toEqual({
      id: expect.stringMatching(/^act_/),
      seq: 1,
      at: '2030-01-01T00:00:00.000Z',
      organizationId: 'org_a',
      siteId: null,
      actor: { kind: 'person', id: 'usr_anna', name: 'anna@example.com' },
      address: '192.0.2.1',
      action: 'site-added',
      subject: { kind: 'site', id: 'site_1', name: 'Site' },
      details: { a: 1 },
      outcome: 'done',
      previous: null,
    })
    expect(second?.subject?.name).toBe('Other')
    const { signature, key: publicKey } = await db
      .selectFrom('activity')
      .selectAll()
      .where('seq', '=', '2')
      .executeTakeFirstOrThrow()
    expect([signature, publicKey]).toEqual([expect.any(String), key.sign('00').key])
  })

  test('has no entry of an action that was rolled back, and no action whose entry cannot be written', async () => {
    const { db, activity } = await openLog()
    const addOrganization = (id: string, work: (note: () => void) => void) =>
      activity.change({ actor: ANNA }, async (tx, note) => {
        await tx.insertInto('organization').values({ id, name: id }).execute()
        work(() => note(added('org_a')))
      })
    await addOrganization('kept', (note) => note())
    const failing = addOrganization('undone', (note) => {
      note()
      throw new Error('the action failed')
    })
    await expect(failing).rejects.toThrow('the action failed')
    await db.schema.alterTable('activity').renameTo('gone').execute()
    await expect(addOrganization('unrecorded', (note) => note())).rejects.toThrow()
    await db.schema.alterTable('gone').renameTo('activity').execute()
    expect(await readChain(db, 'org_a')).toHaveLength(1)
    expect(await db.selectFrom('organization').select('id').execute()).toEqual([{ id: 'kept' }])
  })

  test('stays whole under concurrent actions, also of people in two organizations', async () => {
    const { db, activity } = await openLog()
    const chains = [['org_a'], ['org_b'], ['org_b', 'org_a'], ['org_a', 'org_b']]
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        activity.change({ actor: ANNA }, async (tx, note) => {
          await tx
            .insertInto('organization')
            .values({ id: `o${index}`, name: `o${index}` })
            .execute()
          note(added(chains[index % chains.length] ?? null, `o${index}`))
        }),
      ),
    )
    expect(await readChain(db, 'org_a')).toHaveLength(75)
    expect(await readChain(db, 'org_b')).toHaveLength(75)
  })

  test('has a chain of its own for what belongs to no organization', async () => {
    const { db, activity } = await openLog()
    await activity.change({ actor: ANNA }, async (_tx, note) => {
      note(added(null))
      note(added([]))
    })
    expect((await readChain(db, 'service')).map(({ organizationId }) => organizationId)).toEqual([null, null])
  })

  test.each(['UPDATE activity SET entry = entry', 'DELETE FROM activity', 'TRUNCATE activity'])(
    'refuses %s',
    async (statement) => {
      const { db, activity } = await openLog()
      await activity.change({ actor: ANNA }, async (_tx, note) => note(added('org_a')))
      const { sql } = await import('kysely')
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only')
      expect(await readChain(db, 'org_a')).toHaveLength(1)
    },
  )

  test('records an action with a strange or huge name', async () => {
    const { db, activity } = await openLog()
    await activity.change({ actor: ANNA }, async (_tx, note) => {
      note(added('org_a', 'a\0b\ud800'))
      note({ ...added('org_a', 'x'.repeat(10_000)), details: { list: Array.from({ length: 10_000 }, () => 'y') } })
    })
    const [strange, huge] = await readChain(db, 'org_a')
    expect(strange?.subject?.name).toBe('a\uFFFDb\uFFFD')
    expect([huge?.subject?.name?.length, huge?.details]).toEqual([255, { omitted: true }])
  })
})
