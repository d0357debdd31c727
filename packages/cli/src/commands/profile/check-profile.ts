import { type Client, createClient } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { senderFor } from '../../clients.ts'
import { UsageError } from '../../command.ts'
import { readConfig } from '../../config.ts'
import { createNames } from '../../names.ts'
import type { Profile } from '../../profiles.ts'

/** What is known of a profile after the service was asked. */
interface Checked {
  profile: Profile
  /** What could not be checked, for the person. */
  note: string | undefined
}

/** Asks the service whether it accepts the secret, and replaces names by ids. Throws if it does not. */
export async function checkProfile(profile: Profile): Promise<Checked> {
  const config = {
    ...readConfig({ url: profile.url }, {}, null),
    url: profile.url,
    apiKey: profile.apiKey,
    adminToken: profile.adminToken,
  }
  if (profile.adminToken !== undefined) {
    const client = createClient(senderFor(config, 'token'))
    await client.listOrganizations()
    return { profile: await withIds(profile, client), note: undefined }
  }
  const own = await withIds(profile, undefined)
  return { profile: own, note: await keyNote(own, createClient(senderFor(config, 'key'))) }
}

async function withIds(profile: Profile, operator: Client | undefined): Promise<Profile> {
  const names = createNames(operator)
  if (profile.org === undefined) {
    if (profile.site === undefined && profile.device === undefined) return profile
    throw new UsageError('--org is missing: it says where the site and the device are')
  }
  const org = await names.organization(profile.org)
  return {
    ...profile,
    org,
    ...(profile.site !== undefined && { site: await names.site(org, profile.site) }),
    ...(profile.device !== undefined && { device: await names.device(org, profile.device) }),
  }
}

/** Reads something that the key may read. A key of other permissions is refused everywhere, which proves that it is known. */
async function keyNote({ org, site }: Profile, client: Client): Promise<string | undefined> {
  if (org === undefined) return 'the key was not checked, because the profile names no organization (--org ID)'
  const attempts = [
    () => client.listReports({ orgId: org, query: { limit: 1 } }),
    ...(site === undefined ? [] : [() => client.listRequests({ orgId: org, propertyId: site, query: { limit: 1 } })]),
  ]
  for (const attempt of attempts) {
    try {
      await attempt()
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403) throw error
    }
  }
  return `the service knows the key, but lets it read nothing of ${org}: check the organization and the site`
}
