import { common } from '../texts/common.ts'
import { Link, RichText } from './link.tsx'
import { Empty } from './notices.tsx'

/** Shown while a site has no maintenance requests. Administrators get a link to where they turn them on. */
export function RequestsTurnedOff({ settings }: { settings: string | false }) {
  return (
    <Empty title={common.requestsOff}>
      {settings ? (
        <RichText
          message={common.requestsOffAdmin}
          values={{ page: <Link to={settings}>{common.siteSettings}</Link> }}
        />
      ) : (
        common.requestsOffHint
      )}
    </Empty>
  )
}
