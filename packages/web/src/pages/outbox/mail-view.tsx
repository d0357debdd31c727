import { Code, Modal, Stack, Text } from '@mantine/core'
import type { OutboxMail } from '@plantroom/client/outbox'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { outbox } from '../../texts/outbox.ts'
import { stateOf } from './mail-words.ts'

/** One mail, to be read. */
export function MailView({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  const { site } = useSite()
  const timeOf = (at: string) => fullTime(at, site.timeZone)
  return (
    <Modal opened onClose={onClose} title={mail.subject} size="lg" closeButtonProps={{ 'aria-label': common.close }}>
      <Stack gap="xs">
        <Text size="sm">
          {outbox.to}: {mail.recipient}
        </Text>
        <Text size="sm">
          {outbox.about}: <About number={mail.ticketNumber} />
        </Text>
        <Text size="sm">
          {outbox.when}: {timeOf(mail.createdAt)}
        </Text>
        <Text size="sm">
          {outbox.state}: {stateOf(mail, timeOf)}
        </Text>
        {mail.error && (
          <Text size="sm" component="div">
            {outbox.error}: <Code>{mail.error}</Code>
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
      {outbox.request(number)}
    </Link>
  )
}
