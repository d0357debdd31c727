import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core'
import type { OutboxMail } from '@plantroom/contract/api'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../api/use-pages.ts'
import { useSendsMail } from '../../api/use-set-up.ts'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Modal } from '../../parts/dialogs.tsx'
import { Link, RichText } from '../../parts/link.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RequestsTurnedOff } from '../../parts/requests-off.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { outbox } from '../../texts/outbox.ts'
import { describeMail } from './describe-mail.ts'

const PAGE = 50

/** Mail to reporters and its delivery state. */
export function OutboxPage() {
  const { site, may, path } = useSite()
  const isOff = !site.maintenanceRequests
  return (
    <>
      <PageHead title={outbox.title}>{outbox.intro}</PageHead>
      {isOff && <RequestsTurnedOff settings={may('admin') && path('/settings/site')} />}
      {!isOff && !may('manager') && <Empty title={outbox.forManagers} />}
      {!isOff && may('manager') && <Mails />}
    </>
  )
}

function Mails() {
  const { site } = useSite()
  const [search, setSearch] = useSearchParams()
  const sendsMail = useSendsMail()
  const openId = search.get('mail')
  const query = usePages('listOutbox', { query: { limit: PAGE } }, (page) => page.mails, { refetchInterval: 30_000 })
  const { data: mails, hasNextPage, isFetching, fetchNextPage } = query
  const opened = mails?.find(({ id }) => id === openId)
  const isMissing = openId !== null && mails !== undefined && !opened

  // The mail in the address may not be among the newest.
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage()
  }, [isMissing, hasNextPage, isFetching, fetchNextPage])

  const timeOf = (at: string) => fullTime(at, site.timeZone)
  const subject = (mail: OutboxMail) => (
    <Anchor inherit component="button" type="button" ta="start" onClick={() => setSearch({ mail: mail.id })}>
      {mail.subject}
    </Anchor>
  )

  return (
    <Stack>
      {!sendsMail && (
        <Alert color="orange" variant="light" title={outbox.noServer}>
          {outbox.noServerHint}
        </Alert>
      )}
      {isMissing && !hasNextPage && <Text role="status">{outbox.notThere}</Text>}
      <QueryView query={query}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={outbox.empty}>{outbox.emptyHint}</Empty>
          ) : (
            <CardTable
              label={outbox.label}
              rows={found}
              keyOf={({ id }) => id}
              columns={[
                { head: outbox.subject, cell: subject },
                { head: outbox.to, cell: ({ recipient }) => recipient },
                { head: outbox.about, cell: ({ ticketNumber }) => <About number={ticketNumber} /> },
                { head: outbox.state, cell: (mail) => <State mail={mail} timeOf={timeOf} /> },
                { head: outbox.when, time: true, cell: ({ createdAt }) => timeOf(createdAt) },
              ]}
            />
          )
        }
      </QueryView>
      {hasNextPage && (
        <Button variant="default" mx="auto" onClick={() => void fetchNextPage()} loading={query.isFetchingNextPage}>
          {common.more}
        </Button>
      )}
      {opened && <MailView mail={opened} onClose={() => setSearch({})} />}
    </Stack>
  )
}

function State({ mail, timeOf }: { mail: OutboxMail; timeOf: (at: string) => string }) {
  const sendsMail = useSendsMail()
  return (
    <>
      {describeMail(mail, timeOf, sendsMail)}
      {sendsMail && mail.error && <Text size="sm">{mail.error}</Text>}
    </>
  )
}

/** One mail in full. */
function MailView({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  const { site } = useSite()
  const sendsMail = useSendsMail()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  return (
    <Modal opened byAddress onClose={onClose} title={mail.subject} size="lg">
      <Stack gap="xs">
        <Text size="sm">{format(common.fact, { name: outbox.to, value: mail.recipient })}</Text>
        <Text size="sm">
          <RichText
            message={common.fact}
            values={{ name: outbox.about, value: <About number={mail.ticketNumber} /> }}
          />
        </Text>
        <Text size="sm">{format(common.fact, { name: outbox.when, value: timeOf(mail.createdAt) })}</Text>
        <Text size="sm">
          {format(common.fact, { name: outbox.state, value: describeMail(mail, timeOf, sendsMail) })}
        </Text>
        {sendsMail && mail.error && (
          <Text size="sm" component="div">
            <RichText message={common.fact} values={{ name: outbox.error, value: <Code>{mail.error}</Code> }} />
          </Text>
        )}
        <Text style={{ whiteSpace: 'pre-wrap' }} mt="sm">
          {mail.body}
        </Text>
      </Stack>
    </Modal>
  )
}

export function About({ number }: { number: number | null }) {
  const { path } = useSite()
  if (number === null) return outbox.gone
  return (
    <Link inherit to={path(`/requests/${number}`)}>
      {format(outbox.request, { number: String(number) })}
    </Link>
  )
}
