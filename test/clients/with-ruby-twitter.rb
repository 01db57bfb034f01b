# What a person does with a client built on Ruby's twitter; prints one JSON object for test/clients/clients.test.ts.
require 'json'
require 'twitter'

PLACE = JSON.parse(ENV['HUBBUB_CLIENT'])

# The library knows one host only.
module ElsewhereThanTwitter
  def initialize(client, request_method, path, *rest)
    super(client, request_method, PLACE['url'] + '/api' + path.sub(%r{\Ahttps://[^/]+}, ''), *rest)
  end
end
Twitter::REST::Request.prepend(ElsewhereThanTwitter)

client = Twitter::REST::Client.new do |config|
  config.consumer_key = PLACE['key']
  config.consumer_secret = PLACE['secret']
  config.access_token = PLACE['token']
  config.access_token_secret = PLACE['token_secret']
end

said = { login: client.verify_credentials.screen_name }
posts = (0..6).map { |number| client.update("Ruby #{number} é 😀 & <b>") }
said[:posted] = posts.map(&:id)
said[:text] = posts[0].text

paged = []
loop do
  page = client.home_timeline({ count: 3 }.merge(paged.empty? ? {} : { max_id: paged.last - 1 }))
  break if page.empty?

  paged.concat(page.map(&:id))
end
said[:paged] = paged
said[:since] = client.home_timeline(since_id: posts[4].id).map(&:id)

pictured = client.update_with_media('Ruby with a picture', File.new(PLACE['picture']))
said[:pictures] = pictured.media.map { |picture| picture.class.name }

friends_post = PLACE['friends_post']
said[:reply_to] = client.update('Ruby answers', in_reply_to_status_id: friends_post).in_reply_to_status_id
said[:favorites] = client.favorite(friends_post) && client.favorites.map(&:id)
said[:retweeted] = client.retweet(friends_post).first.retweeted_status.id
said[:search] = client.search('Ruby answers').map(&:id)
said[:looked_up] = client.statuses(posts[1], posts[2]).map(&:id)

group = client.create_list("Ruby's circle")
client.add_list_member(group, PLACE['friend'])
said[:members] = client.list_members(group).map(&:screen_name)
said[:list] = client.list_timeline(group).map(&:id)
said[:lists] = client.owned_lists.map(&:name)
said[:held] = client.list_member?(group, PLACE['friend'])
client.destroy_list(group)

said[:friends] = client.friends.map(&:screen_name)
said[:followers] = client.followers.map(&:screen_name)
said[:friend_ids] = client.friend_ids.to_a == [client.user(PLACE['friend']).id]
said[:follows] = client.friendship(said[:login], PLACE['friend']).source.following?
said[:about] = client.update_profile(description: 'Drives by Ruby').description
client.update_profile_image(File.new(PLACE['picture']))
client.destroy_status(posts[0])
begin
  client.status(posts[0])
rescue Twitter::Error::NotFound => e
  said[:gone] = e.message
end
puts JSON.generate(said)
