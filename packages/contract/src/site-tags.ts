import { SITE_TAG } from './patterns.ts'
import { array, text } from './schema.ts'

/** The most tags of one site. */
export const MAX_SITE_TAGS = 20
/** The most different tags of an organization. */
export const MAX_ORGANIZATION_TAGS = 200
export const MAX_TAG_LENGTH = 50

/** A name that groups sites of an organization. Letter case matters. */
export const siteTag = text({
  minLength: 1,
  maxLength: MAX_TAG_LENGTH,
  pattern: SITE_TAG,
  description: 'A name without commas, and without spaces at its ends',
})

/** Tags that a caller gives to sites or takes from them. */
export const givenTags = array(siteTag, { maxItems: MAX_SITE_TAGS, uniqueItems: true })
