import { counted } from '../parts/value.ts'

/** The list of the sites of whoever is signed in. */
export const home = {
  title: 'Sites',
  none: 'There is no site for you yet',
  noneHint: (email: string) =>
    `Ask an administrator of your organization to give ${email} a role on a site. Reload this page when that is done.`,
  noneInOrganization: 'This organization has no site yet',
  noneInOrganizationHint: 'Add the first one: a building or a property.',
  siteCount: (count: number) => counted(count, 'site'),
  addSite: 'Add a site',
  addSiteTo: (organization: string) => `Add a site to ${organization}`,
  name: 'Name',
  nameHint: 'A building or a property, as people call it.',
  timeZone: 'Time zone',
  timeZoneHint: 'Schedules and limits of the site are meant by its clocks.',
  add: 'Add site',
  added: (name: string) => `${name} was added`,
  failed: 'The site was not added',
} as const
