# The queue, custom fields and rights of the recorded building, in the form that rt-setup-database inserts.
use utf8;
our @Queues = ({ Name => 'Hooldus – Maja A', Description => 'Building A' });
our @CustomFields = (
    { Name => 'Asukoht', Type => 'FreeformSingle', LookupType => 'RT::Queue-RT::Ticket', ApplyTo => ['Hooldus – Maja A'] },
    { Name => 'Seadmed', Type => 'FreeformMultiple', LookupType => 'RT::Queue-RT::Ticket', ApplyTo => ['Hooldus – Maja A'] },
);
our @Users = (
    {   Name => 'jaan', RealName => 'Jaan Tamm', EmailAddress => 'jaan.tamm@example.com', MobilePhone => '+372 5555 0101',
        Privileged => 1, Password => 'password',
    },
    { Name => 'mari', RealName => 'Mari Mägi', EmailAddress => 'mari@example.com', Privileged => 1, Password => 'password' },
);
our @ACL = (
    (map { { UserId => $_, Right => 'SuperUser' } } qw(jaan mari)),
    map { { GroupDomain => 'SystemInternal', GroupType => 'Everyone', Right => $_ } }
    qw(SeeQueue CreateTicket ReplyToTicket ShowTicket)
);
1;
