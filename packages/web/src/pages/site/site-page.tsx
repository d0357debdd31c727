import { Stack } from '@mantine/core'
import { useDevices } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { PageHead } from '../../parts/notices.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { clockTime } from '../../parts/time.ts'
import { site as texts } from '../../texts/site.ts'
import { DeviceList } from './device-list.tsx'
import { HeldNow } from './held-now.tsx'
import { OpenRequests } from './open-requests.tsx'
import { useSeenDevices } from './use-seen-devices.ts'

/** What is held right now, by whom, until when, and what comes back; then the devices; then what people wait for. */
export function SitePage() {
  const { site } = useSite()
  const devices = useDevices()
  const seen = useSeenDevices(devices.data ?? [])
  const now = useNow()

  return (
    <>
      <PageHead title={site.name}>
        <span className="figures">{texts.localTime(clockTime(now, site.timeZone), site.timeZone)}</span>
      </PageHead>
      <Stack gap="xl">
        <QueryView query={devices}>
          {() => (
            <>
              {seen.length > 0 && <HeldNow devices={seen} now={now} />}
              <DeviceList devices={seen} now={now} />
            </>
          )}
        </QueryView>
        <OpenRequests />
      </Stack>
    </>
  )
}
