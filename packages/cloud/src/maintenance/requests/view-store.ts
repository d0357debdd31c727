import type { RequestView } from '@plantroom/contract/api'
import type { Db } from '../../platform/db/database.ts'

export type ViewStore = ReturnType<typeof createViewStore>

/** A person's own views, or with `null` those of everybody on the site. */
type Owner = string | null

/** Saved views of the list of requests. Adding a name that the owner has already violates `request_view_name`. */
export function createViewStore(db: Db) {
  const ofOwner = (siteId: string, owner: Owner) =>
    db
      .selectFrom('request_view')
      .where('site_id', '=', siteId)
      .where('user_id', owner === null ? 'is' : '=', owner)

  return {
    /** Those of the site first, each in the order in which they were added. */
    async list(siteId: string, userId: string | undefined): Promise<RequestView[]> {
      const rows = await db
        .selectFrom('request_view')
        .where('site_id', '=', siteId)
        .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId ?? '')]))
        .select(['id', 'name', 'query', 'user_id'])
        .orderBy('user_id', (order) => order.desc().nullsFirst())
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(({ id, name, query, user_id }) => ({ id, name, query, shared: user_id === null }))
    },

    async count(siteId: string, owner: Owner): Promise<number> {
      const { count } = await ofOwner(siteId, owner)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async add(siteId: string, owner: Owner, view: Omit<RequestView, 'shared'> & { createdAt: Date }): Promise<void> {
      const { id, name, query, createdAt } = view
      await db
        .insertInto('request_view')
        .values({ id, site_id: siteId, user_id: owner, name, query, created_at: createdAt })
        .execute()
    },

    /** Finds a view that a person can see: of the site, or their own. */
    async find(siteId: string, userId: string | undefined, id: string): Promise<RequestView | undefined> {
      return (await this.list(siteId, userId)).find((view) => view.id === id)
    },

    async remove(siteId: string, id: string): Promise<void> {
      await db.deleteFrom('request_view').where('site_id', '=', siteId).where('id', '=', id).execute()
    },
  }
}
