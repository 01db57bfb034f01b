# What a person does with a client built on Perl's Net::Twitter; prints one JSON object for test/clients/clients.test.ts.
use strict;
use warnings;
use utf8;
use JSON;
use Net::Twitter;

my $place = decode_json($ENV{HUBBUB_CLIENT});
my $url   = $place->{url};
my $client = Net::Twitter->new(
    traits          => [qw/API::RESTv1_1 OAuth/],
    ssl             => 0,
    apiurl          => "$url/api/1.1",
    upload_url      => "$url/api/1.1",
    consumer_key    => $place->{key},
    consumer_secret => $place->{secret},
    oauth_urls      => {
        request_token_url  => "$url/oauth/request_token",
        authentication_url => "$url/oauth/authenticate",
        authorization_url  => "$url/oauth/authorize",
        access_token_url   => "$url/oauth/access_token",
        xauth_url          => "$url/oauth/access_token",
    },
);

# The dance with a PIN: the address goes out, the PIN comes in by a line each.
$| = 1;
print $client->get_authorization_url, "\n";
chomp(my $pin = <STDIN>);
my (undef, undef, $user_id, $screen_name) = $client->request_access_token(verifier => $pin);

my %said = (named => $screen_name, login => $client->verify_credentials->{screen_name});
my @posts = map { $client->update("Net::Twitter $_ é 😀 & <b>") } 0 .. 6;
$said{posted} = [map { $_->{id} } @posts];
$said{text}   = $posts[0]{text};

my ($last, @paged);
while (1) {
    my $page = $client->home_timeline({count => 3, $last ? (max_id => $last) : ()});
    last unless @$page;
    push @paged, map { $_->{id} } @$page;
    $last = $paged[-1] - 1;
}
$said{paged} = \@paged;
$said{since} = [map { $_->{id} } @{$client->home_timeline({since_id => $posts[4]{id}})}];

my $media = $client->upload([$place->{picture}]);
my $pictured = $client->update({status => 'Net::Twitter with a picture', media_ids => $media->{media_id}});
$said{pictures} = [map { $_->{type} } @{$pictured->{entities}{media}}];
$said{at_once} = scalar @{$client->update_with_media('Net::Twitter at once', [$place->{picture}])->{entities}{media}};

my $sent = $client->new_direct_message({screen_name => $place->{friend}, text => 'Net::Twitter writes'});
$said{message}  = $sent->{text};
$said{sent}     = [map { $_->{text} } @{$client->sent_direct_messages}];
$said{received} = [map { $_->{text} } @{$client->direct_messages}];
$said{shown}    = $client->show_direct_message({id => $sent->{id}})->{text};
$client->destroy_direct_message({id => $sent->{id}});
$said{left} = [map { $_->{text} } @{$client->sent_direct_messages}];

my $friends_post = $place->{friends_post};
$said{reply_to} = $client->update({status => 'Net::Twitter answers', in_reply_to_status_id => $friends_post})->{in_reply_to_status_id};
$client->create_favorite({id => $friends_post});
$said{favorites} = [map { $_->{id} } @{$client->favorites}];
$said{retweeted} = $client->retweet($friends_post)->{retweeted_status}{id};
$said{search}    = [map { $_->{id} } @{$client->search('Net::Twitter answers')->{statuses}}];
$said{saved}     = $client->create_saved_search('#perl')->{query};
$said{searches}  = [map { $_->{name} } @{$client->saved_searches}];

my $group = $client->create_list({name => "Perl's circle"});
$client->add_list_member({list_id => $group->{id}, screen_name => $place->{friend}});
$said{members} = [map { $_->{screen_name} } @{$client->list_members({list_id => $group->{id}})->{users}}];
$said{list}    = [map { $_->{id} } @{$client->list_statuses({list_id => $group->{id}})}];
$said{lists}   = [map { $_->{name} } @{$client->get_lists}];
$client->delete_list({list_id => $group->{id}});

$said{friends}   = [map { $_->{screen_name} } @{$client->friends_list->{users}}];
$said{followers} = [map { $_->{screen_name} } @{$client->followers_list->{users}}];
$said{friend_ids} = scalar @{$client->friends_ids->{ids}};
$said{follows} = $client->show_friendship({target_screen_name => $place->{friend}})->{relationship}{source}{following} ? 1 : 0;
$said{about}   = $client->update_profile({description => 'Drives by Perl'})->{description};
$client->destroy_status($posts[0]{id});
eval { $client->show_status($posts[0]{id}) };
$said{gone} = $@->error;
print JSON->new->ascii->encode(\%said), "\n";
