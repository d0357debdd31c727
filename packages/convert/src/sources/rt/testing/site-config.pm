# The settings of the recorded RT. The recorder sets RT_RECORDING to its folder and RT_RECORDING_PORT to its port.
use utf8;
Set($rtname, 'example');
Set($Organization, 'example');
Set($CorrespondAddress, 'rt@example.com');
Set($CommentAddress, 'rt-comment@example.com');
Set($WebDomain, '127.0.0.1');
Set($WebPort, $ENV{RT_RECORDING_PORT});
Set($WebPath, '');
Set($DatabaseType, 'SQLite');
Set($DatabaseName, "$ENV{RT_RECORDING}/rt.db");
Set($LogToSyslog, undef);
Set($LogToFile, undef);
Set($LogToSTDERR, 'error');
Set($MailCommand, 'testfile');
Set($Timezone, 'UTC');
Set($RestrictReferrer, 0);
1;
