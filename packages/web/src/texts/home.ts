import { catalogue } from './language.ts'

/** The list of sites. */
export const home = catalogue('home', {
  title: 'Sites',
  none: 'You have no sites yet',
  noneHint: 'Ask an administrator of your organization to give {email} a role on a site, then reload this page.',
  noneInOrganization: 'This organization has no sites yet',
  noneInOrganizationHint: 'Add the first one: a building or a property.',
  secondFactor: 'This organization requires a second factor. Set one up, or sign in again with the one you have.',
  toAccount: 'Go to your account',
  siteCount: { one: '{count} site', other: '{count} sites' },
  addSite: 'Add site',
  addSiteTo: 'Add site to {organization}',
  name: 'Name',
  nameHint: 'The usual name of the building or property.',
  timeZone: 'Time zone',
  timeZoneHint: 'Schedules and limits of the site use this time zone.',
  add: 'Add site',
  added: 'Added {name}',
  failed: 'The site was not added',
})
