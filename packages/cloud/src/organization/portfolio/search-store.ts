import { anyCase, IS_ASCII } from '@plantroom/contract/fold-email'
import { type Found, MAX_FOUND } from '@plantroom/contract/portfolio'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isSeen, type Reach } from './overview-store.ts'

/** More words than this do not make a search more precise. */
const MAX_WORDS = 8

interface Search extends Reach {
  text: string
  /** Results of this site come first. */
  siteId: string | undefined
}

/** Finds sites, their tags, controllers, datapoints and requests of an organization. */
export function createSearchStore(db: Db) {
  return {
    async find(search: Search): Promise<Found> {
      const [sites, tags, devices, datapoints, requests] = await Promise.all([
        findSites(db, search),
        findTags(db, search),
        findDevices(db, search),
        findDatapoints(db, search),
        findRequests(db, search),
      ])
      return { sites, tags, devices, datapoints, requests }
    },
  }
}

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)

/** Finds a word in a column that is in small letters as far as the locale of the database knows them. */
const contains = (column: Column, word: string): RawBuilder<boolean> =>
  IS_ASCII.test(word)
    ? sql`${column} LIKE ${`%${word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`}`
    : sql`${column} ~ ${anyCase(word)}`

type Column = ReturnType<typeof sql>

/** Every word is in one of the columns, and one of them in the first: what is found is named so itself. */
function matches({ text }: Search, own: Column, place?: Column): RawBuilder<boolean> {
  const words = wordsOf(text)
  if (words.length === 0) return sql`false`
  const inOwn = words.map((word) => contains(own, word))
  if (!place) return sql`(${sql.join(inOwn, sql` AND `)})`
  const every = words.map((word) => sql`(${contains(own, word)} OR ${contains(place, word)})`)
  return sql`((${sql.join(inOwn, sql` OR `)}) AND ${sql.join(every, sql` AND `)})`
}

/** What begins with the text comes first, then the asked site, then the shorter names. */
function order({ text, siteId }: Search, own: Column, site: Column): RawBuilder<unknown> {
  const isHere = siteId === undefined ? sql`false` : sql`${site} = ${siteId}`
  return sql`NOT starts_with(${own}, lower(${text.trim()})), NOT ${isHere}, length(${own}), ${own}`
}

async function findSites(db: Db, search: Search) {
  const { rows } = await sql<Found['sites'][number]>`
    SELECT id, name FROM site
    WHERE organization_id = ${search.organizationId} AND ${isSeen(sql`id`, search)}
      AND ${matches(search, sql`lower(name)`)}
    ORDER BY ${order(search, sql`lower(name)`, sql`id`)}, id
    LIMIT ${MAX_FOUND}`.execute(db)
  return rows
}

/** Tags of the sites that the caller sees. */
async function findTags(db: Db, search: Search) {
  const { rows } = await sql<Found['tags'][number]>`
    SELECT site_tag.tag, count(*)::integer AS sites
    FROM site_tag JOIN site ON site.id = site_tag.site_id
    WHERE site.organization_id = ${search.organizationId} AND ${isSeen(sql`site.id`, search)}
      AND ${matches(search, sql`lower(site_tag.tag)`)}
    GROUP BY site_tag.tag
    ORDER BY NOT starts_with(lower(site_tag.tag), lower(${search.text.trim()})), length(site_tag.tag), site_tag.tag
    LIMIT ${MAX_FOUND}`.execute(db)
  return rows
}

async function findDevices(db: Db, search: Search) {
  const { rows } = await sql<Found['devices'][number]>`
    SELECT device.id, device.name, site.id AS "siteId", site.name AS "siteName"
    FROM device JOIN site ON site.id = device.site_id
    WHERE device.organization_id = ${search.organizationId} AND ${isSeen(sql`site.id`, search)}
      AND ${matches(search, sql`lower(device.name)`, sql`lower(site.name)`)}
    ORDER BY ${order(search, sql`lower(device.name)`, sql`site.id`)}, device.id
    LIMIT ${MAX_FOUND}`.execute(db)
  return rows
}

async function findDatapoints(db: Db, search: Search) {
  // The place of each controller is put together once, not for each of its datapoints.
  const { rows } = await sql<Found['datapoints'][number]>`
    WITH place AS MATERIALIZED (
      SELECT device.id, device.name, site.id AS site_id, site.name AS site_name,
        lower(device.name || ' ' || site.name) AS search
      FROM device JOIN site ON site.id = device.site_id
      WHERE device.organization_id = ${search.organizationId} AND ${isSeen(sql`site.id`, search)}
    )
    SELECT point.id, point.name, place.id AS "deviceId", place.name AS "deviceName", place.site_id AS "siteId",
      place.site_name AS "siteName"
    FROM listed_datapoint AS point JOIN place ON place.id = point.device_id
    WHERE point.organization_id = ${search.organizationId}
      AND ${matches(search, sql`point.search`, sql`place.search`)}
    ORDER BY ${order(search, sql`point.search`, sql`place.site_id`)}, place.site_name, point.id
    LIMIT ${MAX_FOUND}`.execute(db)
  return rows
}

async function findRequests(db: Db, search: Search): Promise<Found['requests']> {
  const number = /^#?(\d{1,9})$/.exec(search.text.trim())?.[1]
  if (number === undefined) return []
  const { rows } = await sql<Found['requests'][number]>`
    SELECT ticket.number, ticket.title, ticket.state, site.id AS "siteId", site.name AS "siteName"
    FROM site JOIN ticket ON ticket.site_id = site.id AND ticket.number = ${Number(number)}
    WHERE site.organization_id = ${search.organizationId} AND site.maintenance_requests
      AND ${isSeen(sql`site.id`, search)}
    ORDER BY site.id <> ${search.siteId ?? ''}, site.name, site.id
    LIMIT ${MAX_FOUND}`.execute(db)
  return rows
}
