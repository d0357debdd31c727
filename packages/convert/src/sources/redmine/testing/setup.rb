# What the REST interface of Redmine cannot set: the interface itself, the administrator's key, and custom fields.
Setting.rest_api_enabled = '1'
Setting.default_language = 'en'
Setting.issues_export_limit = '1000'
Setting.mail_from = 'redmine@example.com'
ActionMailer::Base.perform_deliveries = false
admin = User.find_by(login: 'admin')
admin.update_columns(must_change_passwd: false, firstname: 'Redmine', lastname: 'Admin')
Token.create!(user: admin, action: 'api').update_columns(value: 'a' * 40)
trackers = Tracker.all.to_a
IssueCustomField.create!(name: 'Korter', field_format: 'string', is_for_all: true, trackers: trackers)
IssueCustomField.create!(
  name: 'Süsteemid', field_format: 'list', multiple: true, is_for_all: true, trackers: trackers,
  possible_values: %w[Küte Ventilatsioon Vesi]
)
IssueCustomField.create!(name: 'Ohtlik', field_format: 'bool', is_for_all: true, trackers: trackers)
waiting = IssueStatus.create!(name: 'Ootel')
manager = Role.find_by(name: 'Manager')
trackers.each do |tracker|
  WorkflowTransition.create!(tracker: tracker, role: manager, old_status_id: 1, new_status: waiting)
end
