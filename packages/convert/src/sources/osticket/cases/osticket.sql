-- Columns of the tables that an export reads, as osTicket 1.18 creates them, and three tickets.
CREATE TABLE ost_ticket (ticket_id INTEGER, ticket_pid INTEGER, number TEXT, user_id INTEGER DEFAULT 0, user_email_id INTEGER DEFAULT 0, status_id INTEGER DEFAULT 0, dept_id INTEGER DEFAULT 0, sla_id INTEGER DEFAULT 0, topic_id INTEGER DEFAULT 0, staff_id INTEGER DEFAULT 0, team_id INTEGER DEFAULT 0, flags INTEGER DEFAULT 0, ip_address TEXT DEFAULT '', source TEXT DEFAULT 'Other', isoverdue INTEGER DEFAULT 0, isanswered INTEGER DEFAULT 0, duedate TEXT, est_duedate TEXT, reopened TEXT, closed TEXT, lastupdate TEXT, created TEXT, updated TEXT);
CREATE TABLE ost_ticket_status (id INTEGER, name TEXT, state TEXT);
CREATE TABLE ost_ticket_priority (priority_id INTEGER, priority TEXT, priority_desc TEXT, priority_urgency INTEGER);
CREATE TABLE ost_department (id INTEGER, name TEXT);
CREATE TABLE ost_help_topic (topic_id INTEGER, topic TEXT);
CREATE TABLE ost_team (team_id INTEGER, name TEXT);
CREATE TABLE ost_form_entry (id INTEGER, form_id INTEGER, object_id INTEGER, object_type TEXT);
CREATE TABLE ost_form_entry_values (entry_id INTEGER, field_id INTEGER, value TEXT, value_id INTEGER);
CREATE TABLE ost_form_field (id INTEGER, form_id INTEGER, type TEXT, label TEXT, name TEXT);
CREATE TABLE ost_thread (id INTEGER, object_id INTEGER, object_type TEXT);
CREATE TABLE ost_thread_entry (id INTEGER, pid INTEGER DEFAULT 0, thread_id INTEGER, staff_id INTEGER DEFAULT 0, user_id INTEGER DEFAULT 0, type TEXT, flags INTEGER DEFAULT 0, poster TEXT DEFAULT '', title TEXT, body TEXT, format TEXT DEFAULT 'html', created TEXT);
CREATE TABLE ost_thread_collaborator (id INTEGER, thread_id INTEGER, user_id INTEGER, role TEXT);
CREATE TABLE ost_attachment (id INTEGER, object_id INTEGER, type TEXT, file_id INTEGER, name TEXT, inline INTEGER DEFAULT 0);
CREATE TABLE ost_file (id INTEGER, bk TEXT DEFAULT 'D', type TEXT, size INTEGER, `key` TEXT, name TEXT);
CREATE TABLE ost_file_chunk (file_id INTEGER, chunk_id INTEGER, filedata BLOB);
CREATE TABLE ost_user (id INTEGER, org_id INTEGER, default_email_id INTEGER, name TEXT);
CREATE TABLE ost_user_email (id INTEGER, user_id INTEGER, address TEXT);
CREATE TABLE ost_staff (staff_id INTEGER, username TEXT, firstname TEXT, lastname TEXT, email TEXT, phone TEXT);

INSERT INTO ost_ticket_status VALUES (1, 'Open', 'open'), (3, 'Closed', 'closed'), (5, 'Deleted', 'deleted'), (6, 'Waiting for parts', 'open');
INSERT INTO ost_ticket_priority VALUES (1, 'low', 'Low', 4), (2, 'normal', 'Normal', 3), (3, 'high', 'High', 2), (4, 'emergency', 'Emergency', 1);
INSERT INTO ost_department VALUES (1, 'Support');
INSERT INTO ost_help_topic VALUES (2, 'Heating');
INSERT INTO ost_team VALUES (1, 'Level I Support');
INSERT INTO ost_user VALUES (5, 0, 1, 'Mari Maasikas'), (6, 0, 2, 'Board');
INSERT INTO ost_user_email VALUES (1, 5, 'mari.maasikas@example.ee'), (2, 6, 'board@example.ee');
INSERT INTO ost_staff VALUES (4, 'jaan', 'Jaan', 'Õun', 'jaan.oun@example.ee', '');
INSERT INTO ost_form_field VALUES (20, 2, 'text', 'Issue Summary', 'subject'), (22, 2, 'priority', 'Priority Level', 'priority'), (30, 2, 'text', 'Apartment', 'apartment'), (31, 2, 'choices', 'Building', 'building'), (3, 1, 'phone', 'Phone Number', 'phone');
INSERT INTO ost_form_entry VALUES (1, 2, 35, 'T'), (2, 2, 36, 'T'), (3, 1, 5, 'U'), (4, 2, 37, 'T');
INSERT INTO ost_form_entry_values VALUES (1, 20, 'Radiator is cold', NULL), (1, 22, 'High', 3), (1, 30, 'B-12', NULL), (1, 31, '{"b":"Building B"}', NULL), (2, 20, 'Lift stands still', NULL), (2, 22, NULL, 2), (3, 3, '37255550101', NULL), (4, 20, 'Spam', NULL);
INSERT INTO ost_ticket (ticket_id, number, user_id, status_id, dept_id, topic_id, staff_id, ip_address, source, isanswered, closed, lastupdate, created) VALUES
  (35, '532761', 5, 3, 1, 2, 4, '192.0.2.7', 'Web', 1, '2026-04-07 09:30:00', '2026-04-07 09:30:00', '2026-04-03 14:05:00'),
  (36, '532762', 6, 6, 1, 0, 0, '192.0.2.8', 'Email', 0, NULL, '2026-04-04 09:00:00', '2026-04-04 09:00:00'),
  (37, '532763', 6, 5, 1, 0, 0, '', 'API', 0, NULL, '2026-04-04 09:00:00', '2026-04-04 09:00:00');
INSERT INTO ost_thread VALUES (1, 35, 'T'), (2, 36, 'T'), (3, 9, 'A');
INSERT INTO ost_thread_entry (id, thread_id, staff_id, user_id, type, flags, poster, title, body, format, created) VALUES
  (11, 1, 0, 5, 'M', 65, 'Mari Maasikas', 'Radiator is cold', '<p>The radiator is <b>cold</b> &amp; leaks.</p>', 'html', '2026-04-03 14:05:00'),
  (14, 1, 0, 5, 'M', 0, 'Mari Maasikas', NULL, 'Thank you', 'text', '2026-04-05 10:00:00'),
  (12, 1, 4, 0, 'N', 0, 'Jaan Õun', 'Dog', '<p>The tenant has a dog.</p>', 'html', '2026-04-03 15:00:00'),
  (15, 1, 4, 0, 'R', 4, 'Jaan Õun', NULL, 'We will look.', 'html', '2026-04-03 16:00:00'),
  (13, 1, 4, 0, 'R', 2, 'Jaan Õun', NULL, 'We will look at it tomorrow.', 'html', '2026-04-03 16:00:00'),
  (16, 2, 0, 6, 'M', 1, 'Board', 'Lift stands still', 'No light.', 'text', '2026-04-04 09:00:00'),
  (17, 3, 4, 0, 'N', 0, 'Jaan Õun', 'Of a task', 'Not a ticket.', 'text', '2026-04-04 09:00:00');
INSERT INTO ost_thread_collaborator VALUES (1, 1, 6, 'M');
INSERT INTO ost_file VALUES (7, 'D', 'image/jpeg', 203, 'aKey-of_the.photo', 'radiator õhtul.jpg'), (8, 'F', 'application/pdf', 4, 'bKey', 'invoice.pdf');
INSERT INTO ost_attachment VALUES (1, 11, 'H', 7, NULL, 0), (2, 13, 'H', 8, NULL, 0);
INSERT INTO ost_file_chunk VALUES (7, 1, x'656E64');
INSERT INTO ost_file_chunk SELECT 7, 0, CAST(replace(hex(zeroblob(100)), '0', 'x') AS BLOB);
